/** Places that read v1's header of a call: a server of the user's own does, and so may interceptors of our client. */
import { isKeyHeader } from '../../../../src/contract/auth.ts';
import { eventOfHeaders, headerOfEvent } from '../../../clients/servers/h3.ts';
import { callsOf, isPassedOn, nameOf } from '../../../evaluate/calls/all-callers.ts';
import { copyingWith } from '../../../evaluate/writes/copies.ts';
import { isOfFile } from '../../../evaluate/names/of-file.ts';
import { calledBy } from '../../../evaluate/calls/call-frames.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { optionsOf, plainText, type Value } from '../../../evaluate/values/values.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { Expression, FunctionNode, Node, ParamNode, PatternProperty } from '../../../syntax/tree.ts';
import { isOfServer } from '../../../evaluate/values/small-letters.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { isGivenSent } from '../../flow/functions/sent-requests.ts';
import { anyClient, calledByHooks, type HookedClient } from '../../flow/functions/hooks.ts';

export interface HeaderRead {
  /** The name of the header, the expression that stands for it, or what a pattern takes by it. */
  readonly node: Expression | PatternProperty;
  /** Whether what is read came from elsewhere and not from our client. */
  readonly isServer: boolean;
  /** The clients whose requests are read: those that an interceptor is given to. */
  readonly clients: readonly HookedClient[];
}

type Source = Pick<HeaderRead, 'isServer' | 'clients'>;

/** Steps to find out a name: a constant takes some dozens. */
export const maxForName = 500;

const readers = new Set(['get', 'header', 'has', 'getHeader']);

/** Asked by several, of the same modules. */
const known = new WeakMap<Evaluation, Map<SourceModule, readonly HeaderRead[]>>();

export function headerReads(ev: Evaluation, module: SourceModule): readonly HeaderRead[] {
  const ofAll = known.get(ev) ?? new Map<SourceModule, readonly HeaderRead[]>();
  const found = ofAll.get(module) ?? readsIn(ev, module);
  known.set(ev, ofAll.set(module, found));
  return found;
}

function readsIn(ev: Evaluation, module: SourceModule): HeaderRead[] {
  const found: HeaderRead[] = [];
  const isName = (node: Expression): boolean => {
    if (node.kind === 'string') return isKeyHeader(node.value);
    if (node.kind === 'literal' || isGivenByCallers(node, module)) return false;
    const place = { node, module };
    const name = ev.budget.question(place, () => plainText(byDefault(ev.evaluate(node, { module, frame: undefined }))), maxForName);
    return name.isCut ? isOfFile(node, module) : isKeyHeader(name.value);
  };
  for (const node of nodesOfKind(module.tree.program, 'member')) {
    // A loop that only copies headers asks for none of them.
    if (node.computed !== undefined && isRead(node) && copyingWith(node.computed, module) === undefined && isName(node.computed))
      found.push({ node: node.computed, ...sourceOf(ev, node.object, module) });
  }
  for (const node of nodesOfKind(module.tree.program, 'patternProperty'))
    if (isKeyHeader(node.name)) found.push(...takenBy(ev, node, module));
  for (const call of module.calls) {
    const { callee, args } = call;
    const ofEvent = headerOfEvent(call, module);
    if (ofEvent !== undefined && isName(ofEvent.name)) found.push({ node: ofEvent.name, ...sourceOf(ev, ofEvent.event, module) });
    if (callee.kind !== 'member' || !readers.has(callee.property ?? '')) continue;
    const [name, more] = args;
    if (name === undefined || name.kind === 'spread' || more !== undefined || !isName(name)) continue;
    found.push({ node: name, ...sourceOf(ev, callee.object, module) });
  }
  return found;
}

/** What a function is given by those who call it is no name that stands there: `record[key]`. */
function isGivenByCallers(node: Expression, { scopes }: SourceModule): boolean {
  const owner = node.kind === 'name' ? scopes.bindingOf(node)?.owner : undefined;
  if (owner?.kind !== 'param' || owner.isField || owner.decorators.length > 0) return false;
  const { parent: fn } = owner;
  // A function that is written into a call gets what the call says: `names.forEach((name) => headers[name])`.
  return fn?.kind === 'function' && fn.parent?.kind !== 'call' && owner.default === undefined && owner.target.kind === 'patternName';
}

/** `process.env.INBOUND_HEADER ?? 'x-api-key'` */
function byDefault(name: Value): Value {
  const [only, another] = optionsOf(name).filter(({ type }) => type !== 'env');
  return only === undefined || another !== undefined ? name : only;
}

const isRead = ({ parent, ...member }: Node): boolean =>
  !(parent?.kind === 'assign' && parent.target.start === member.start) && !(parent?.kind === 'unary' && parent.operator === 'delete');

/** `const { 'x-api-key': key } = request.headers`, `({ headers: { 'x-api-key': key } }) => …`; what only is left out of the rest is kept out of something. */
function takenBy(ev: Evaluation, node: PatternProperty, module: SourceModule): HeaderRead[] {
  const names: string[] = [];
  let at: Node | undefined = node.parent;
  const taken = node.target.kind === 'patternName' ? module.scopes.declaredBy(node.target) : undefined;
  if (at?.kind === 'objectPattern' && at.rest !== undefined && taken?.references.length === 0) return [];
  for (; at?.parent?.kind === 'patternProperty'; at = at.parent.parent) names.unshift(at.parent.name ?? '');
  const owner = at?.parent;
  if (owner?.kind === 'variable' && owner.init !== undefined) return [{ node, ...sourceOf(ev, owner.init, module, names) }];
  return owner?.kind === 'param'
    ? [{ node, ...givenTo(ev, owner, module, (fn) => isHandler(fn, module) || isOfServer(owner, module)) }]
    : [];
}

/** Whose a value is: what a client hands to a hook, or to whoever catches what it throws; or a server's. */
function sourceOf(ev: Evaluation, value: Expression, module: SourceModule, more: readonly string[] = []): Source {
  const { root, names: path } = pathTo(value, module);
  const names = [...path, ...more];
  if (isOfRequest(names)) return { isServer: false, clients: anyClient };
  if (root.kind !== 'name') return { isServer: isIncoming(root, module), clients: [] };
  const owner = module.scopes.bindingOf(root)?.owner;
  // `const request = https.request(…); request.getHeader('x-api-key')`: it is asked for what was put there.
  if (owner?.kind === 'variable' && owner.init !== undefined && isOutgoing(ev, owner.init, module))
    return { isServer: false, clients: anyClient };
  if (owner?.kind === 'variable') return { isServer: isHandedOut(ev, owner.init, module), clients: [] };
  if (owner?.kind !== 'param') return { isServer: isArriving(names), clients: [] };
  const isOwn = (fn: FunctionNode): boolean =>
    isOfMock(ev, root, module) || isGivenSent(ev, fn, module) || isGivenOwn(ev, value, fn, module);
  return givenTo(ev, owner, module, (fn) => (isArriving(names) || (names[1] === 'headers' && makesContext(fn))) && !isOwn(fn));
}

const isOutgoing = (ev: Evaluation, made: Node, module: SourceModule): boolean =>
  made.kind === 'call' &&
  optionsOf(ev.evaluate(made, { module, frame: undefined })).some(
    (value) => value.type === 'http' && value.stage === 'request' && value.mock === undefined,
  );

const makesContext = (fn: FunctionNode): boolean => /^create\w*Context$/.test(nameOf(fn));

/** @param isArrived whether a function that no client is hooked with is given what came to a server */
function givenTo(ev: Evaluation, { parent: fn }: ParamNode, module: SourceModule, isArrived: (fn: FunctionNode) => boolean): Source {
  if (fn?.kind !== 'function') return { isServer: false, clients: [] };
  const clients = calledByHooks(ev)(fn, module);
  return { isServer: clients.length === 0 && isArrived(fn), clients };
}

/** `page.route(url, (route) => route.request().headers()['x-api-key'])`: a mock hands out what our client sent. */
function isOfMock(ev: Evaluation, value: Node, module: SourceModule): boolean {
  let root = value;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  const owner = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  const call = owner?.kind === 'param' ? owner.parent?.parent : undefined;
  if (call?.kind !== 'call' || call.callee === owner?.parent) return false;
  return optionsOf(ev.evaluate(call, { module, frame: undefined })).some((made) => made.type === 'http' && made.mock !== undefined);
}

const hasKey = (value: Value): boolean => value.type === 'object' && value.entries.some(({ name }) => isKeyHeader(name));

/** `sign(headers)`: of a function that gets headers only from calls of the program that put the key there. Tests call handlers so. */
function isGivenOwn(ev: Evaluation, value: Expression, owner: FunctionNode, module: SourceModule): boolean {
  // Of `exports.redact = (headers) => …` others may be given theirs.
  if (nameOf(owner) === '' || handlers.test(nameOf(owner)) || isPassedOn(ev, owner)) return false;
  const calls = callsOf(ev, owner).filter((call) => !isTest(call.module));
  return (
    calls.length > 0 &&
    calls.every((call) => {
      const frame = calledBy(ev, owner, call, undefined);
      return optionsOf(ev.budget.question({ node: value, module }, () => ev.evaluate(value, { module, frame })).value).some(hasKey);
    })
  );
}

/** What a platform calls itself by such a name, whoever else does: `handler` of a function in the cloud, `fetch` of a worker. */
const handlers = /handler$|^(?:fetch|middleware|proxy|on(?:Request|Event)|GET|POST|PUT|PATCH|DELETE)$/i;

/** A function that is called so, or that is given how to answer, too. */
function isHandler(fn: FunctionNode, module: SourceModule): boolean {
  const answer = fn.params[1]?.target;
  return !isTest(module) && (handlers.test(nameOf(fn)) || (answer?.kind === 'patternName' && answering.test(answer.name)));
}

const answering = /^_*(?:res|response|reply|next|context|ctx|callback|cb|h)$/i;

/** What arrives goes by such a name in all frameworks, or is of something that does; what other functions are given may be anybody's headers. */
const isArriving = ([first = '', ...rest]: readonly string[]): boolean =>
  /^(?:c|headers|socket)$/.test(first) || [first, ...rest].some((name) => /^(?:ctx|context|evt|event|\w*req(?:uest)?)$/i.test(name));

/** What frameworks call the request that came, or its headers: `headers()`, `host.getRequest()`; in a test a recorder's may be called so, too. */
function isIncoming(root: Node, module: SourceModule): boolean {
  // What an object of ours keeps of its own headers is found with what is put back into them.
  if (root.kind === 'this') return true;
  if (isTest(module)) return false;
  const call = root.kind === 'await' ? root.argument : root;
  const callee = call.kind === 'call' ? call.callee : call;
  return incoming.test(callee.kind === 'name' ? callee.name : callee.kind === 'member' ? (callee.property ?? '') : '');
}

/** `const request = context.switchToHttp().getRequest()`, `const sent = await headers()`: by what is no function of the project. */
function isHandedOut(ev: Evaluation, init: Node | undefined, module: SourceModule): boolean {
  const call = init?.kind === 'await' ? init.argument : init;
  if (call?.kind !== 'call' || call.isNew || !isIncoming(call, module)) return false;
  const callees = optionsOf(ev.evaluate(call.callee, { module, frame: undefined }));
  return callees.every((callee) => {
    if (callee.type === 'external') return !callee.source.startsWith('.');
    if (callee.type === 'function' || call.callee.kind !== 'member') return false;
    return callee.type !== 'method' || callee.receiver.type !== 'http';
  });
}

const incoming = /^(?:get|use|read)?(?:Http|Web|Current|Incoming)?(?:Req(?:uest)?|Headers?|Context|Ctx)(?:Headers?)?$/i;

/** `client.defaults.headers` and `error.config.headers` of axios, `error.options.headers` of got, `response.request.headers`: what a client keeps of its own. */
const isOfRequest = (names: readonly string[]): boolean =>
  /(?:^|\.)(?:config|options|defaults|(?:error|err|e|res|response)\.(?:\w+\.)*request)\.headers(?:\.common)?$/.test(names.join('.')) &&
  names.length > 2;

/** What a value is taken from, through names that are given to it on the way, and by which properties; the first is the name itself. */
function pathTo(value: Node, module: SourceModule): { readonly root: Node; readonly names: readonly string[] } {
  const names: string[] = [];
  let root = value;
  for (let steps = 0; steps < maxSteps; steps++) {
    if (root.kind === 'member') {
      names.unshift(root.property ?? '');
      root = root.object;
      continue;
    }
    const event = eventOfHeaders(root, module);
    if (event !== undefined) names.unshift('headers');
    const [init] = event !== undefined ? [event] : root.kind === 'call' && root.isNew ? root.args : [];
    if (init !== undefined) {
      root = init;
      continue;
    }
    const binding = root.kind === 'name' ? module.scopes.bindingOf(root) : undefined;
    const { owner } = binding ?? {};
    if (binding === undefined || owner?.kind !== 'variable' || owner.init === undefined) break;
    const property =
      owner.target.kind === 'objectPattern' ? owner.target.properties.find(({ target }) => target === binding.declaration) : undefined;
    if (owner.target.kind !== 'patternName' && property?.name === undefined) break;
    if (owner.init.kind !== 'name' && owner.init.kind !== 'member') break;
    if (property?.name !== undefined) names.unshift(property.name);
    root = owner.init;
  }
  return { root, names: [root.kind === 'name' ? root.name : '', ...names] };
}

const maxSteps = 20;
