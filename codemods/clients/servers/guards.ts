/** Conditions on a request's URL in code that is run for every request: `if (!req.url.startsWith(BASE)) return next(req);`. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { callsOf } from '../../evaluate/calls/all-callers.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { flat, unknownPart, isAbsolute } from '../../evaluate/values/text.ts';
import { questionIn } from '../../evaluate/language/narrowing.ts';
import { isLeaving } from '../../evaluate/names/order.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { World } from '../../evaluate/program.ts';
import { choiceOf, optionsOf, partsOf, type TextPart, type Value } from '../../evaluate/values/values.ts';
import { isWithin, walk } from '../../syntax/link.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { CallNode, Expression, FunctionNode, Node } from '../../syntax/tree.ts';

export interface Guard {
  /** Whether a request with such a URL certainly does not come past it. */
  excludes(url: Value | undefined): boolean;
  /** What URLs have to begin with to come past it. */
  readonly prefixes: readonly Value[];
}

/** The condition under which a call in such code is reached; undefined where it is none on the beginning of the URL. */
export function guardOf(ev: Evaluation, { node, ...at }: At & { readonly node: Node }): Guard | undefined {
  const fn = functionAround(node);
  if (fn === undefined) return undefined;
  const asked = urlTestIn(fn);
  if (asked === undefined) return schemeGuard(ev, fn, { node, ...at });
  const { call, test, isAnywhere, isInverse } = asked;
  const [prefix] = call.args;
  if (prefix === undefined) return undefined;
  const condition = conditionOf(test, at.module);
  const way = condition && wayTo(condition.node, node);
  if (condition === undefined || way === undefined || !decides(condition.node, way === 'where it holds')) return undefined;
  const value = ev.evaluate(prefix, at);
  const texts = optionsOf(value).map((option) => flat(partsOf(option)));
  if (texts.some((text) => text === '' || text.includes(unknownPart))) return undefined;
  const versioned = optionsOf(value).filter(isPathWithVersion);
  const isAllowed = ((way === 'where it holds') !== condition.isNegated) !== isInverse;
  if (!isAllowed && hangsOnOther(fn, node, condition.node)) return undefined;
  const holds = (url: string): boolean => texts.some((text) => (isAnywhere ? url.includes(text) : url.startsWith(text)));
  const isLeft = (option: Value): boolean => holds(flat(partsOf(option))) !== isAllowed;
  if (versioned.length > 0) {
    // A path with the version would have to move too, and has no base of its own: what has another text for it counts as let past by nothing.
    const ownTexts = new Set(optionsOf(value).flatMap((option) => textWithVersion(option)?.node ?? []));
    const isAlone =
      !isAnywhere &&
      isAllowed &&
      texts.some((text) => isAbsolute(text)) &&
      versioned.every((path) => isOnlyIn(ownTexts, flat(partsOf(path)), ev.world));
    return {
      excludes: (url) => !isAlone || url === undefined || !versioned.every((path) => isBeginning(path, url)) || optionsOf(url).some(isLeft),
      prefixes: optionsOf(value).filter((option) => !versioned.includes(option)),
    };
  }
  return {
    excludes: (url) => url !== undefined && optionsOf(url).every(isLeft),
    prefixes: isAllowed ? [value] : [],
  };
}

/** `if (!/^https?:/.test(req.url))`: what has its host already does not come past it, and nothing else of the request decides. */
function schemeGuard(ev: Evaluation, fn: FunctionNode, { node, module }: At & { readonly node: Node }): Guard | undefined {
  const request = node.kind === 'call' && node.callee.kind === 'member' ? rootName(node.callee.object) : undefined;
  const [asked, ...more] = request === undefined ? [] : schemeTestsIn(fn, request);
  const condition = asked === undefined || more.length > 0 ? undefined : conditionOf(asked.test, module);
  const way = condition && wayTo(condition.node, node);
  if (asked === undefined || condition === undefined || way === undefined || !decides(condition.node, way === 'where it holds'))
    return undefined;
  const { answer } = asked;
  const isAllowed = (way === 'where it holds') !== condition.isNegated;
  if (answer('/v1') !== isAllowed || node.kind !== 'call' || goesByRequest(ev, node, condition.node)) return undefined;
  if (hangsOnOther(fn, node, condition.node)) return undefined;
  const isLeft = (option: Value): boolean => answer(flat(partsOf(option))) === !isAllowed;
  return { excludes: (url) => url !== undefined && optionsOf(url).every(isLeft), prefixes: [] };
}

/** Whether more decides than the one question that is followed: with `if (isDevMode()) return next(req)` before, a path is asked of the program's own server, too. */
function hangsOnOther(fn: FunctionNode, node: Node, followed: Node): boolean {
  let isOther = false;
  walk(fn, (part) => {
    const test = isOther ? undefined : testIn(part);
    isOther ||= test !== undefined && !isWithin(test, followed) && mayDecide(test, node) && wayTo(test, node) !== undefined;
    return !isOther;
  });
  return isOther;
}

/** What of an address is written with its host. Where that is nothing, nobody knows which guards it comes past. */
export function writtenAddress(url: Value | undefined): Value | undefined {
  const written = url === undefined ? [] : optionsOf(url).filter((each) => isAbsolute(flat(partsOf(each))));
  return written.length === 0 ? undefined : choiceOf(written);
}

/** Whether an address without a host may begin so: its path begins with that of the beginning, or ends before it does. */
export const mayBegin = (url: Value | undefined, beginning: string): boolean => {
  const path = beginning.replace(/^https?:\/\/[^/]*/, '');
  return (url === undefined ? [''] : optionsOf(url).map((each) => flat(partsOf(each)))).some((text) => {
    const [known = ''] = (/\/.*/s.exec(text)?.[0] ?? '').split(unknownPart, 1);
    return known.startsWith(path) || path.startsWith(known);
  });
};

const version = /\/v\d/;

const isPathWithVersion = (value: Value): boolean => !isAbsolute(flat(partsOf(value))) && version.test(flat(partsOf(value)));

/** Where the version of an address or a path is written. */
function textWithVersion(value: Value): TextPart['source'] {
  const found = partsOf(value).find((part) => 'text' in part && version.test(part.text));
  return found !== undefined && 'text' in found ? found.source : undefined;
}

/** Whether a URL has its version from the same text as a path: what is written there says both. */
function isBeginning(path: Value, url: Value): boolean {
  const source = textWithVersion(path);
  return source !== undefined && optionsOf(url).some((option) => textWithVersion(option)?.node === source.node);
}

/** Whether no other text of the program begins with a path: what it asks there would not come past the guard when that has moved. */
function isOnlyIn(nodes: ReadonlySet<Node>, path: string, world: World): boolean {
  const all = pathsWithVersion.get(world) ?? pathsIn(world);
  pathsWithVersion.set(world, all);
  return beginningWith(all, path).every((node) => nodes.has(node));
}

/** The texts of a program that begin with a path, which is asked for with every request. */
function beginningWith({ paths, known }: PathsWithVersion, path: string): readonly Node[] {
  const found = known.get(path) ?? paths.flatMap(({ node, text }) => (text.startsWith(path) ? node : []));
  known.set(path, found);
  return found;
}

interface PathsWithVersion {
  readonly paths: readonly { readonly node: Node; readonly text: string }[];
  readonly known: Map<string, readonly Node[]>;
}

const pathsWithVersion = new WeakMap<World, PathsWithVersion>();

const pathsIn = ({ modules }: World): PathsWithVersion => ({
  paths: [...modules.values()].flatMap((module) =>
    isTest(module)
      ? []
      : module.texts
          .map((node) => ({ node, text: node.kind === 'string' ? node.value : (node.texts[0]?.value ?? '') }))
          .filter(({ text }) => text.startsWith('/') && version.test(text)),
  ),
  known: new Map(),
});

/** The function that is called by its name or as a method, or the outermost. */
function functionAround(node: Node): FunctionNode | undefined {
  let found: FunctionNode | undefined;
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (at.kind !== 'function') continue;
    found = at;
    if (at.parent?.kind === 'classMember' || at.parent?.kind === 'variable' || at.isDeclaration) break;
  }
  return found;
}

/**
 * Whether it hangs on the request whether a call is reached that is made on it, in a way that is not followed: `if (isBilling(req))`, also where helpers are called.
 * @param followed the one question that is
 */
export const goesByRequest = (ev: Evaluation, call: CallNode, followed?: Node): boolean =>
  call.callee.kind === 'member' && isDecidedBy(ev, rootName(call.callee.object), call, new Set(), followed);

/** The same of what is written into a request that goes by a name there: `config.headers['x-api-key'] = key`. */
export const isWrittenByRequest = (ev: Evaluation, place: Node, name: string): boolean =>
  isDecidedBy(ev, name, place, new Set(), undefined);

function isDecidedBy(ev: Evaluation, name: string | undefined, call: Node, seen: Set<Node>, followed: Node | undefined): boolean {
  const fn = functionAround(call);
  if (fn === undefined || name === undefined || seen.has(call)) return false;
  seen.add(call);
  if (conditionsOn(fn, name).some((test) => mayDecide(test, call) && askedIn(test) !== followed)) return true;
  const index = fn.params.findIndex(({ target }) => namesIn(target).some((each) => each.name === name));
  return (
    index !== -1 &&
    callsOf(ev, fn).some(({ node }) => {
      const given = node.args[index];
      return given !== undefined && given.kind !== 'spread' && isDecidedBy(ev, rootName(given), node, seen, followed);
    })
  );
}

function rootName(node: Expression): string | undefined {
  let at = node;
  while (at.kind === 'member' || (at.kind === 'call' && at.callee.kind === 'member')) at = at.kind === 'member' ? at.object : at.callee;
  return at.kind === 'name' ? at.name : undefined;
}

const conditions = new WeakMap<FunctionNode, Map<string, readonly Node[]>>();

/** The conditions in a function that ask about what goes by a name, or about what is made of that. */
function conditionsOn(fn: FunctionNode, name: string): readonly Node[] {
  const known = conditions.get(fn) ?? new Map<string, readonly Node[]>();
  conditions.set(fn, known);
  const before = known.get(name);
  if (before !== undefined) return before;
  const made = new Set([name]);
  const isAbout = (whole: Node): boolean => {
    let found = false;
    walk(whole, (part) => {
      found ||= part.kind === 'name' && made.has(part.name);
    });
    return found;
  };
  const tests: Node[] = [];
  let decidedUntil = 0;
  walk(fn, (part) => {
    if (part.kind === 'variable' && part.init !== undefined && isAbout(part.init))
      for (const each of namesIn(part.target)) made.add(each.name);
    if (part.kind === 'assign' && part.target.kind === 'name' && (part.start < decidedUntil || isAbout(part.value)))
      made.add(part.target.name);
    // With a key that hangs on it others are sent theirs.
    const test = part.kind === 'property' && isKeyHeader(part.name) ? part.value : testIn(part);
    if (test === undefined || !isAbout(test)) return;
    tests.push(test);
    decidedUntil = Math.max(decidedUntil, part.end);
  });
  known.set(name, tests);
  return tests;
}

/** What decides about the rest of a node. */
function testIn(node: Node): Node | undefined {
  if (node.kind === 'conditional') return node.test;
  if (node.kind === 'logical') return node.left;
  if (node.kind === 'block') return node.body[1]?.kind === 'other' && node.body[1].what.endsWith('Clause') ? node.body[0] : undefined;
  return node.kind === 'other' && node.what === 'IfStatement' ? node.children[0] : undefined;
}

/** Whether a test may decide about a call, or about what becomes of it: one in a callback of its own does not. */
function mayDecide(test: Node, call: Node): boolean {
  let at = test.parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at !== undefined && isWithin(at, call);
}

const askedIn = (test: Node): Node => (test.kind === 'unary' && test.operator === '!' ? askedIn(test.argument) : test);

interface UrlTest {
  readonly call: CallNode;
  /** The call, or what its answer is compared in. */
  readonly test: Node;
  readonly isAnywhere: boolean;
  /** Whether it holds where the URL does not. */
  readonly isInverse: boolean;
}

/** The only question about what a URL holds in a function. */
function urlTestIn(fn: Node): UrlTest | undefined {
  const found: (UrlTest | undefined)[] = [];
  walk(fn, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member') return;
    const { object, property = '' } = node.callee;
    if (object.kind !== 'member' || object.property?.startsWith('url') !== true) return;
    if (property === 'startsWith' || property === 'includes')
      found.push({ call: node, test: node, isAnywhere: property === 'includes', isInverse: false });
    if (property === 'indexOf') found.push(indexTest(node));
  });
  return found.length === 1 ? found[0] : undefined;
}

/** `url.indexOf(BASE) === 0`, `url.indexOf(BASE) > -1`; undefined for what else may be asked of a place. */
function indexTest(call: CallNode): UrlTest | undefined {
  const { parent: test } = call;
  if (test?.kind !== 'binary' || test.left !== call || call.args.length !== 1) return undefined;
  const asked = `${test.operator.replace(/^([=!]=)=$/, '$1')} ${numberOf(test.right) ?? ''}`;
  const answer = indexAnswers.get(asked);
  return answer && { call, test, ...answer };
}

const indexAnswers: ReadonlyMap<string, Pick<UrlTest, 'isAnywhere' | 'isInverse'>> = new Map([
  ['== 0', { isAnywhere: false, isInverse: false }],
  ['!= 0', { isAnywhere: false, isInverse: true }],
  ['!= -1', { isAnywhere: true, isInverse: false }],
  ['> -1', { isAnywhere: true, isInverse: false }],
  ['>= 0', { isAnywhere: true, isInverse: false }],
  ['== -1', { isAnywhere: true, isInverse: true }],
  ['< 0', { isAnywhere: true, isInverse: true }],
]);

function numberOf(node: Node): number | undefined {
  if (node.kind === 'unary' && node.operator === '-') {
    const number = numberOf(node.argument);
    return number === undefined ? undefined : -number;
  }
  return node.kind === 'literal' && typeof node.value === 'number' ? node.value : undefined;
}

/** The questions of a function whether the URL of a request has its host: `/^https?:/i.test(req.url)`, `req.url.indexOf('http') === 0`. */
function schemeTestsIn(fn: Node, request: string): { readonly test: Node; answer(text: string): boolean | undefined }[] {
  const found: ReturnType<typeof schemeTestsIn> = [];
  walk(fn, (test) => {
    const { subject, answer } = questionIn(test) ?? {};
    if (answer === undefined || subject?.kind !== 'member' || !/^url(?:WithParams)?$/.test(subject.property ?? '')) return;
    if (subject.object.kind !== 'name' || subject.object.name !== request) return;
    const isOfScheme = ['http://', 'https://'].every((scheme) => answer(`${scheme}a`) === !(answer('/a') ?? true));
    if (isOfScheme && answer('a') === answer('/a')) found.push({ test, answer });
  });
  return found;
}

/** Where it is asked how a test came out: there, or by the one name that it is given, `const isOurs = req.url.startsWith(BASE)`. */
function conditionOf(test: Node, { scopes }: SourceModule): { readonly node: Node; readonly isNegated: boolean } | undefined {
  const whole = isNegated(test) ? test.parent : test;
  const { parent } = whole ?? {};
  if (parent?.kind !== 'variable') return { node: test, isNegated: isNegated(test) };
  const binding = parent.declares === 'const' && parent.target.kind === 'patternName' ? scopes.declaredBy(parent.target) : undefined;
  const [only, ...others] = binding?.references ?? [];
  return only === undefined || others.length > 0 ? undefined : { node: only, isNegated: isNegated(test) !== isNegated(only) };
}

/** Whether a condition hangs on the test alone: with `test || other` more comes past it, and with `if (!test && other) return` as well. */
function decides(test: Node, isInside: boolean): boolean {
  const start = isNegated(test) ? test.parent : test;
  for (let at = start?.parent; at !== undefined; at = at.parent) {
    if (at.kind === 'unary') return false;
    if (at.kind !== 'logical') return true;
    if (at.operator !== (isInside ? '&&' : '||')) return false;
  }
  return true;
}

const isNegated = ({ parent }: Node): boolean => parent?.kind === 'unary' && parent.operator === '!';

/** Whether a node is reached where the test of a condition holds, or where it does not; undefined where it may be reached either way. */
export function wayTo(test: Node, node: Node): 'where it holds' | 'where it does not' | undefined {
  let [at, around] = [test, test.parent];
  while (around?.kind === 'unary' || around?.kind === 'logical') {
    if (around.kind === 'logical' && around.operator === '&&' && isWithin(around.right, node)) return 'where it holds';
    [at, around] = [around, around.parent];
  }
  const [whenTrue, whenFalse] =
    around?.kind === 'conditional'
      ? [around.whenTrue, around.whenFalse]
      : around?.kind === 'other' && around.what === 'IfStatement'
        ? around.children.slice(1)
        : [];
  if (whenTrue === undefined || around === undefined || at === whenTrue || at === whenFalse) return undefined;
  if (isWithin(whenTrue, node)) return 'where it holds';
  if (whenFalse !== undefined && isWithin(whenFalse, node)) return 'where it does not';
  const isBehind = around.end <= node.start && around.parent !== undefined && isWithin(around.parent, node);
  return isBehind && isLeaving(whenTrue) ? 'where it does not' : undefined;
}
