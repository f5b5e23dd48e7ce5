/** Texts that repeat the path or base of a request beside the call that is moved: they are compared, searched, replaced or signed. */
import { titled } from '../../clients/testing/declared-tests.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat } from '../../evaluate/values/text.ts';
import { memo } from '../../once.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, NameNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { isOfSent } from '../flow/functions/sent-requests.ts';
import { askedOfStatement, askedOnce, statementAround } from '../statements.ts';

/** Of texts and patterns, and of schemas: `z.string().regex(/\/v1$/)`, `yup.string().matches(…)`, `Joi.string().pattern(…)`. */
const searching =
  /^(?:includes|startsWith|endsWith|indexOf|match|matchAll|test|exec|has|replace|replaceAll|split|search|regex|matches|pattern)$/;
const signers = /^(?:update|sign\w*|hmac\w*|hash|digest)$/i;

/** What arrives at a server of the user's own has that server's paths. */
const requests = ['req', 'request', 'ctx', 'context', 'event'];
const incoming: ReadonlySet<string> = new Set([...requests, 'location', 'router']);
/** The same without what a page has. */
export const incomingRequests: ReadonlySet<string> = new Set(requests);

/**
 * Whether a text or regular expression is compared with something, or signed.
 * @param isOurs whether it is a whole address of ours: no server of the user's own has such a path
 */
export function isRepeated(node: Node, module: SourceModule, isOurs = false): boolean {
  if (takesBoth(node, module)) return false;
  const whole = wholeOf(node);
  const { parent } = whole;
  const isOwn = (asked: Node): boolean => !isOurs && isIncoming(asked, module);
  if (parent?.kind === 'binary') return /^[!=]==?$/.test(parent.operator) && !isOwn(parent);
  if (parent?.kind === 'other') return parent.what === 'CaseClause';
  // `const route = /^\/v1\/(\w+)/;`, and further down `route.exec(path)`
  if (parent?.kind === 'variable' && (node.kind === 'literal' || whole.kind === 'call') && parent.target.kind === 'patternName')
    return module.scopes.declaredBy(parent.target)?.references.some((name) => isRepeated(name, module, isOurs)) ?? false;
  if (parent?.kind === 'call') return parent.args.some((arg) => arg === whole) && isAsked(parent, isOwn);
  const isReceiver = parent?.kind === 'member' && parent.object === whole && searching.test(parent.property ?? '');
  return isReceiver && parent.parent?.kind === 'call' && !isOwn(parent.parent);
}

/** The text or the pattern that it is a part of. */
export function wholeOf(node: Node): Node {
  const { parent } = node;
  if (parent === undefined) return node;
  if (parent.kind === 'call' && parent.callee.kind === 'name' && parent.callee.name === 'RegExp') return wholeOf(parent);
  if (parent.kind === 'concat' || parent.kind === 'template' || parent.kind === 'array') return wholeOf(parent);
  const isJoined = parent.kind === 'member' && parent.object === node && parent.property === 'join';
  return isJoined && parent.parent?.kind === 'call' ? wholeOf(parent.parent) : node;
}

function isAsked(call: CallNode, isOwn: (asked: Node) => boolean): boolean {
  const { callee } = call;
  if (callee.kind === 'name') return signers.test(callee.name);
  if (callee.kind !== 'member' || callee.property === undefined) return false;
  return signers.test(callee.property) || (searching.test(callee.property) && !isOwn(call));
}

/**
 * Whether something is of a request that arrives at a server of the user's own.
 * @param names what such a request goes by
 */
export function isIncoming(node: Node, module: SourceModule, names = incoming): boolean {
  let found = false;
  walk(node, (each) => {
    found ||= each.kind === 'name' && ((names.has(each.name) && !isOfSent(each, module)) || isMadeOfIncoming(each, module, names));
    return !found;
  });
  return found;
}

/** `const { pathname } = new URL(request.url)`, and `const found = pathname.match(/…/)` of that: one more name, as names may go in circles. */
function isMadeOfIncoming(name: NameNode, module: SourceModule, names: ReadonlySet<string>): boolean {
  const init = initOf(name, module);
  const matched = init && matchedIn(init);
  return namesAny(init, names) || (matched !== undefined && namesAny(initOf(matched, module), names));
}

function initOf(name: NameNode, { scopes }: SourceModule): Node | undefined {
  const owner = scopes.bindingOf(name)?.owner;
  return owner?.kind === 'variable' ? owner.init : undefined;
}

function namesAny(node: Node | undefined, names: ReadonlySet<string>): boolean {
  let found = false;
  if (node !== undefined)
    walk(node, (part) => {
      found ||= part.kind === 'name' && names.has(part.name);
      return !found;
    });
  return found;
}

/** What is looked into for a pattern: what was found is of that alone, as the answer to a question is not. */
function matchedIn(init: Node): NameNode | undefined {
  if (init.kind !== 'call' || init.callee.kind !== 'member') return undefined;
  const { object, property } = init.callee;
  const [given] = init.args;
  const matched = property === 'match' ? object : property === 'exec' && object.kind === 'literal' ? given : undefined;
  return matched?.kind === 'name' ? matched : undefined;
}

/** `path.startsWith('/v1/') || path.startsWith('/v2/')`: it decides the same of what is moved. */
export function takesBoth(node: Node, module: SourceModule): boolean {
  const at = statementAround(node);
  return saysBoth(at.parent?.kind === 'other' && at.parent.what === 'CaseClause' ? (at.parent.parent ?? at) : at, module);
}

const saysBoth = askedOnce((text) => /\bv2\b/.test(text) && !/(?<![\w)\]])!/.test(text));

/** What a test runner writes into a test, and compares from then on: `expect(…).toMatchInlineSnapshot(`…`)`. */
export const isSnapshot = ({ parent }: Node): boolean =>
  parent?.kind === 'call' &&
  parent.callee.kind === 'member' &&
  /MatchingInlineSnapshot$|^toMatchInlineSnapshot$/.test(parent.callee.property ?? '');

/** Whether a test expects it of something: `await expect(list()).rejects.toThrow('GET /v1/contacts answered 500')`. */
export const isExpected = (node: Node, module: SourceModule): boolean => isTest(module) && isExpectation(node, module);

const isExpectation = askedOfStatement((text) =>
  /^(?:(?:return|await|void)\s+)*(?:\w+\.)?(?:expect|assert\w*|should|is|deepEqual|like|throws\w*)\b|\.should\b/.test(text),
);

const isForbidding = askedOfStatement((text) => /\bnot\b|\b(?:does|is)?[nN]ot[A-Z]/.test(text));

/** Whether a text is what a test expects, and neither what it looks at nor what it forbids. */
export function isExpectedToBe(node: Node, module: SourceModule): boolean {
  if ((node.kind !== 'string' && node.kind !== 'template') || !isExpected(node, module)) return false;
  if (isForbidding(node, module)) return false;
  let at: Node = node;
  while (at.parent !== undefined && (at.parent.kind !== 'call' || at.parent.callee === at || isError(at.parent))) at = at.parent;
  const call = at.parent;
  if (call?.kind !== 'call') return false;
  const [first = '', ...more] = namesTo(call);
  return (first.startsWith('assert') ? call.args[0] !== at : first === 'expect' && more.length > 0) && !isOfGiven(call, module);
}

/** Whether it is about what a function gets of whoever calls it, as a stub does of any client: `vi.fn((url) => { expect(url).toContain(…) })`. */
function isOfGiven(expectation: Node, { scopes }: SourceModule): boolean {
  let found = false;
  walk(statementAround(expectation), (each) => {
    const owner = each.kind === 'name' ? scopes.bindingOf(each)?.owner : undefined;
    found ||= owner?.kind === 'param' && !isGivenByRunner(owner.parent);
    return !found;
  });
  return found;
}

/** `.catch((error) => …)`, `it.each(rows)('…', (path) => …)`: it gets what is thrown, or what the test says. */
function isGivenByRunner(fn: Node | undefined): boolean {
  const call = fn?.parent;
  if (call?.kind !== 'call' || call.callee === fn) return false;
  const names = namesTo(call);
  return names.some((name) => titled.has(name)) || /^(?:catch|then|rejects|throws|forEach)$/.test(names.at(-1) ?? '');
}

const isError = ({ isNew, callee }: CallNode): boolean => isNew && callee.kind === 'name' && callee.name.endsWith('Error');

/** The names that lead to what is called, from the first: of `expect(x).rejects.toThrow(y)` all but what is given to `expect`. */
function namesTo({ callee }: CallNode): string[] {
  const names: string[] = [];
  let at: Node = callee;
  while (at.kind === 'member' || at.kind === 'call') {
    if (at.kind === 'member') names.unshift(at.property ?? '');
    at = at.kind === 'member' ? at.object : at.callee;
  }
  return at.kind === 'name' ? [at.name, ...names] : names;
}

/** `it('GET /v1/contacts', …)`, `describe.skip(…)`, `it.each(rows)(…)`, `t.test(…)`: what a test is called, and nobody is asked by it. */
export function isTitle(node: Node): boolean {
  const { parent: call } = node;
  if (call?.kind !== 'call' || call.args[0] !== node) return false;
  const { callee, args } = call;
  let root: Node = callee;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  const isMethod = callee.kind === 'member' && titled.has(callee.property ?? '') && args.some(({ kind }) => kind === 'function');
  return isMethod || (root.kind === 'name' && titled.has(root.name));
}

/** What is compared with it. */
export function snapshotOf({ parent }: Node): Node | undefined {
  const expected = parent?.kind === 'call' && parent.callee.kind === 'member' ? parent.callee.object : undefined;
  return expected?.kind === 'call' ? expected.args[0] : undefined;
}

/** What something is made of by names. */
export function holdersIn(node: Node): Node[] {
  const found: Node[] = [];
  walk(node, (each) => void ((each.kind === 'name' || each.kind === 'member') && found.push(each)));
  return found;
}

/** Tells of a text whether an address in it moves elsewhere in its file, as where a test gives it to the program. */
export function movedBeside(changes: readonly Change[]): (text: string, module: SourceText) => boolean {
  const moved = Map.groupBy(changes, ({ module }) => module);
  const addresses = memo((module: SourceText) => new Set(moved.get(module)?.map(({ end }) => addressBefore(module.text, end))));
  return (text, module) => addresses(module).has(/https?:\/\/\S+?\/v1(?!\w)/.exec(text)?.[0] ?? 'none');
}

/** Tells of a text whether a test's own call asks below it, by a client that has its address elsewhere: `expect(answer.url()).toContain('/v1/contacts/')`. */
export function askedBeside(sites: readonly RequestSite[]): (text: string, module: SourceText) => boolean {
  const asked = Map.groupBy(sites, ({ request }) => request.module);
  const paths = memo((module: SourceText) => asked.get(module)?.map(({ request: { url = [] } }) => flat(url)) ?? []);
  return (text, module) => /^\/v1\/\w/.test(text) && paths(module).some((path) => path.includes(text));
}

const addressBefore = (text: string, end: number): string =>
  /https?:\/\/[^\s'"`]+$/.exec(text.slice(Math.max(0, end - 200), end))?.[0] ?? '';
