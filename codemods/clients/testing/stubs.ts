/** Functions that tests write by hand to answer in the place of `fetch`: `const send = async (url, init) => Response.json({})`. */
import { returnsOf } from '../../evaluate/calls/returns.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { mentionsAny, walk } from '../../syntax/link.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { CallNode, Expression, FunctionNode, Node, ParamNode } from '../../syntax/tree.ts';
import { anyOf, common } from './declared-tests.ts';

const address = /^_?(?:\w*url|uri|input|resource|href|endpoint|req|request)$/i;
const details = /^_?(?:init|options?|opts|config|requestInit|params|request|req|args)$/i;

const path = /^_?(?:\w*url|uri|path|route|endpoint)$/i;
const content = /^_?(?:init|options?|opts|config|body|data|json|payload|params|query|input|content)$/i;
const verb = /^(?:get|post|put|patch|del(?:ete)?|head|request|fetch)(?:Json)?$/i;
/** Methods of clients that are asked by one object: `pool.request({ path, method })`. */
const whole = /^(?:request|dispatch|stream|send)$/;
/** What are called so run functions of tests, of servers or for each item, with something else than requests of clients. */
const running = new RegExp(`serve|^(?:${anyOf(common)}|each|bench|then|replace|use)$`, 'i');

/** Whether a function of a test is given to clients to be asked in the place of `fetch`, or of a method of one, and asks nobody itself. */
export function isStub(fn: FunctionNode, module: SourceModule): boolean {
  return isOfFake(fn, module) || (isTest(module) && isFetch(fn, module));
}

/** Whether a function takes what `fetch` takes, answers without asking anybody, and is handed on. */
export function isFetch(fn: FunctionNode, module: SourceModule): boolean {
  const [first, second, ...more] = fn.params;
  if (first === undefined || more.length > 0 || !isHandedOn(fn, module)) return false;
  if (first.isRest) return returnsOf(fn).some(isAnswer) && !asksOnward(fn, first);
  if (!isNamed(first, address) || (second !== undefined && !isNamed(second, details) && !takesDetails(second))) return false;
  return (second !== undefined || returnsOf(fn).some(isAnswer)) && !asksOnward(fn, first);
}

/** `{ get: async (path) => answers[path] }`, `class FakeClient { post(path, body) { … } }`: what a test has in the place of a client of the project. */
export function isOfFake(fn: FunctionNode, module: SourceModule): boolean {
  const {
    parent,
    params: [first, ...more],
  } = fn;
  const isMethod = parent?.kind === 'property' || (parent?.kind === 'classMember' && (parent.role === 'method' || parent.role === 'field'));
  if (!isMethod || !isTest(module) || first === undefined || asksOnward(fn, first)) return false;
  const { name = '' } = parent;
  if (whole.test(name) && more.length === 0 && (isNamed(first, details) || takesPath(first))) return true;
  return verb.test(name) && isNamed(first, path) && more.length < 3 && more.every((each) => isNamed(each, content));
}

/** `({ method, path }) => …` */
const takesPath = ({ target }: ParamNode): boolean =>
  target.kind === 'objectPattern' && target.properties.some(({ name = '' }) => /^(?:path|url)$/.test(name));

/** `(url, { method = 'GET', headers }) => …`: nothing but what `fetch` takes. */
const takesDetails = ({ target, isRest }: ParamNode): boolean =>
  !isRest && target.kind === 'objectPattern' && target.properties.length > 0 && target.properties.every(({ name = '' }) => init.has(name));
const init: ReadonlySet<string> = new Set(['method', 'headers', 'body', 'signal', 'redirect', 'credentials', 'cache', 'mode', 'keepalive']);

const isNamed = ({ target, isRest }: ParamNode, name: RegExp): boolean =>
  !isRest && target.kind === 'patternName' && name.test(target.name);

/** Whether it has a name that nothing calls here, is given under the name of a client, or comes out of a function. */
function isHandedOn(fn: FunctionNode, { scopes }: SourceModule): boolean {
  const { parent } = fn;
  const name = parent?.kind === 'variable' && parent.target.kind === 'patternName' ? parent.target : fn.name;
  const binding = name === undefined ? undefined : scopes.declaredBy(name);
  if (binding !== undefined) return binding.references.every((each) => !(each.parent?.kind === 'call' && each.parent.callee === each));
  if (parent?.kind === 'return' || (parent?.kind === 'function' && parent.body === fn)) return true;
  if (parent?.kind === 'classMember') return /fetch|send|request/i.test(parent.name ?? '');
  if (parent?.kind === 'call') return parent.callee !== fn && isOfProject(parent.callee, scopes) && !running.test(calledIn(parent));
  if (parent?.kind !== 'property') return false;
  const around = parent.parent?.parent;
  if (around?.kind === 'call') return /fetch|send|request/i.test(parent.name ?? '') && !/serve/i.test(calledIn(around));
  return around?.kind === 'variable' || around?.kind === 'return' || around?.kind === 'function';
}

/** Whether something is a function of the project, or of what one gave: no method of a list, and no test library's. */
function isOfProject(called: Node, scopes: SourceModule['scopes'], depth = 0): boolean {
  let at = called;
  while (at.kind === 'member' || at.kind === 'call' || at.kind === 'await')
    if (at.kind === 'member') at = at.object;
    else if (at.kind === 'await') at = at.argument;
    else if (isLoading(at)) return true;
    else at = at.callee;
  const owner = at.kind === 'name' ? scopes.bindingOf(at)?.owner : undefined;
  if (owner?.kind === 'import') return isOwn(owner.source.value);
  if (owner?.kind === 'variable') return owner.init !== undefined && depth < maxNames && isOfProject(owner.init, scopes, depth + 1);
  return owner?.kind === 'function' || owner?.kind === 'class';
}

const maxNames = 4;

/** `require('../src/client')`, `import('../src/client.js')` */
const isLoading = ({ callee, args: [from] }: CallNode): boolean =>
  from?.kind === 'string' && isOwn(from.value) && (callee.kind === 'other' || (callee.kind === 'name' && callee.name === 'require'));

const isOwn = (specifier: string): boolean => /^(?:\.|[~#]|@\/)/.test(specifier);

/** `new Response('{}')`, `Response.json({})`, `{ ok: true, json: async () => ({}) }`. */
function isAnswer(node: Expression): boolean {
  switch (node.kind) {
    case 'await':
      return isAnswer(node.argument);
    case 'conditional':
      return isAnswer(node.whenTrue) || isAnswer(node.whenFalse);
    case 'object':
      return node.properties.some((each) => each.kind === 'property' && /^(?:json|text)$/.test(each.name ?? ''));
    case 'call': {
      const [given] = node.args;
      const isWrapped = calledIn(node) === 'resolve' && given !== undefined && given.kind !== 'spread' && isAnswer(given);
      return isWrapped || calledIn(node) === 'Response' || (node.callee.kind === 'member' && isResponse(node.callee.object));
    }
    default:
      return false;
  }
}

const isResponse = (node: Node): boolean => node.kind === 'name' && node.name === 'Response';

/** Whether it hands the address to what may make a request of it: helpers of tests do. */
function asksOnward(fn: FunctionNode, { target }: ParamNode): boolean {
  const given = new Set(namesIn(target).map(({ name }) => name));
  let isFound = false;
  walk(fn, (node) => {
    if (node.kind === 'call' && !node.isNew && asking.test(calledIn(node)) && node.args.some((arg) => mentionsAny(arg, given)))
      isFound = true;
    return !isFound;
  });
  return isFound;
}

const implementing = /^(?:fn|stub|fake|spy|callsFake|callThrough|mockImplementation(?:Once)?)$/;
const keeping = /^(?:push|String|URL|expect|log)$/;
const sending = new WeakMap<SourceModule, boolean>();

/** Whether some mock of a test may send what it gets: `vi.fn(fetch)`, `mockImplementation((url) => real(url))`. */
export function maySend(module: SourceModule): boolean {
  const known = sending.get(module);
  if (known !== undefined) return known;
  const found = module.calls.some(isSending);
  sending.set(module, found);
  return found;
}

function isSending(call: CallNode): boolean {
  const [first] = call.args;
  if (!implementing.test(calledIn(call))) return false;
  if (first === undefined) return calledIn(call) === 'callThrough';
  return first.kind !== 'function' || handsOn(first);
}

/** Whether a function hands what it gets to anything that does more than keep it. */
function handsOn(fn: FunctionNode): boolean {
  const given = new Set(fn.params.flatMap(({ target }) => namesIn(target)).map(({ name }) => name));
  let isFound = false;
  walk(fn.body ?? fn, (node) => {
    isFound ||= node.kind === 'call' && !keeping.test(calledIn(node)) && node.args.some((arg) => mentionsAny(arg, given));
    return !isFound;
  });
  return isFound;
}

const asking = /fetch|request|axios|^(?:get|post|put|patch|delete|got|ky|call|apply|inject|dispatch)$/i;

const calledIn = ({ callee }: CallNode): string =>
  callee.kind === 'name' ? callee.name : callee.kind === 'member' ? (callee.property ?? '') : '';
