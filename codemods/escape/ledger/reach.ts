/**
 * What nobody accounts for, and may be a call of ours all the same: it looks like v1, and a configured base or v1's header is in reach. A path of a
 * wrapper that is not read, of a client that is injected, of a contract, of a fake server in a test.
 */
import { isKeyHeader, v1Auth } from '../../../src/contract/auth.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { importedBy, passedOnBy } from '../../evaluate/names/specifiers.ts';
import { middlewareOf } from '../../find/modules/next-middleware.ts';
import { escaped } from '../../find/words/literals.ts';
import type { World } from '../../evaluate/program.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { type FunctionValue, optionsOf, plainText } from '../../evaluate/values/values.ts';
import { memo, once } from '../../once.ts';
import type { Request } from '../../requests/requests.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { AssignNode, CallNode, Node, ObjectNode, StringNode, VariableNode } from '../../syntax/tree.ts';
import { type Bases, matchUrl, namingOurs } from '../../verdict/bases/routes.ts';
import { givenBase } from '../../verdict/verdicts.ts';
import { isInjected, isOfServer } from '../servers/own-routes.ts';
import { isIncoming, isTitle, takesBoth } from '../paths/repeats.ts';
import { isPath, isRequestLine, isRoute, plainTextIn, textIn } from './suspicious.ts';

export interface Place {
  readonly node: Node;
  readonly module: SourceModule;
}

/**
 * @param isStubbed whether a place may be of what a test puts in the place of a client, however far that is
 * @returns whether a place may be a call of ours that nothing was found to make: its module is near a base, or the call gives the header
 */
export function openPlaces(ev: Evaluation, bases: Bases, isStubbed: (place: Place) => boolean): (place: Place) => boolean {
  const near = modulesNear(ev.world, bases);
  const isBesideHeader = callsWithHeader(bases);
  return (place) => {
    const { node, module } = place;
    const isOpen = near.has(module)
      ? isAddress(node, bases) || isBare(node) || isMessage(node) || isHandedRoute(ev, place)
      : isAddress(node, bases) && (isStubbed(place) || isBesideHeader(place) || (near.size > 0 && isBehindUnknownSelf(node)));
    return isOpen && !isSpoken(ev, place, bases);
  };
}

/** Several ask for these of one program, whose bases are the same for all of them. */
const known = new WeakMap<World, ReadonlySet<SourceModule>>();

/** The modules that hold a configured base, with those that import them and those that they import, and what those import that send v1's header. */
export function modulesNear(world: World, bases: Bases): ReadonlySet<SourceModule> {
  const near = known.get(world) ?? nearOf(world, bases);
  known.set(world, near);
  return near;
}

function nearOf(world: World, bases: Bases): ReadonlySet<SourceModule> {
  const isHolding = namingOurs(bases);
  const modules = [...world.modules.values()];
  const holding = new Set(modules.filter(({ text }) => isHolding(text)));
  if (holding.size === 0) return holding;
  const near = new Set(holding);
  const passedOn = memo((module: SourceModule) => resolvedIn(world, module, passedOnBy(module)));
  const leading = leadingTo(holding, modules, passedOn);
  const reached = new Set<SourceModule>();
  const reachFrom = (module: SourceModule): void => {
    for (const other of newlyReached(resolvedIn(world, module, importedBy(module)), passedOn, reached)) near.add(other);
  };
  for (const module of modules) {
    if (resolvedIn(world, module, importedBy(module)).some((other) => leading.has(other))) near.add(module);
    if (!holding.has(module)) continue;
    reachFrom(module);
    for (const run of middlewareOf(module.file, (file) => world.modules.has(file))) near.add(world.modules.get(run) ?? module);
  }
  // `[method, path] = endpoints[name]` beside `{ headers: { 'x-api-key': key } }`: the paths of a client may have a file of their own.
  for (const module of [...near].filter(givesHeader)) reachFrom(module);
  return near;
}

const givesHeader = ({ tree }: SourceModule): boolean => nodesOfKind(tree.program, 'property').some(({ name }) => isKeyHeader(name));

/** Files with those that they only pass on, `export * from './services'`, but for what was reached before: barrels may pass on each other. */
function* newlyReached(
  first: readonly SourceModule[],
  passedOn: (module: SourceModule) => readonly SourceModule[],
  reached: Set<SourceModule>,
): Generator<SourceModule> {
  const waiting = new Set(first);
  // A set that grows while it is walked.
  for (const module of waiting) {
    if (reached.has(module)) continue;
    reached.add(module);
    yield module;
    for (const other of passedOn(module)) waiting.add(other);
  }
}

/** Files with those that pass them on. */
function leadingTo(
  ends: ReadonlySet<SourceModule>,
  modules: readonly SourceModule[],
  passedOn: (module: SourceModule) => readonly SourceModule[],
): ReadonlySet<SourceModule> {
  const by = Map.groupBy(
    modules.flatMap((module) => passedOn(module).map((other) => ({ module, other }))),
    ({ other }) => other,
  );
  const leading = new Set(ends);
  for (const each of leading) for (const { module } of by.get(each) ?? []) leading.add(module);
  return leading;
}

const resolvedIn = (world: World, module: SourceModule, specifiers: readonly string[]): readonly SourceModule[] =>
  specifiers.flatMap((specifier) => world.resolve(module, specifier) ?? []);

/** Whether a request is made in such a file, which are only asked for then, or has its base from a file of settings with one of ours. */
export function nearBase(world: World, bases: Bases): (request: Pick<Request, 'module' | 'url'>) => boolean {
  const near = once((): ReadonlySet<SourceText> => modulesNear(world, bases));
  return ({ module, url = [] }) => near().has(module) || bases.files?.has(givenBase(url)?.name.split(' of ').at(-1) ?? '') === true;
}

/** Whether a request goes to a host of which a part is written, and that may be ours: `https://${host}.example.com/v1/…`. */
export function toHostLikeOurs({ v1 }: Bases): (request: Pick<Request, 'url'>) => boolean {
  const hosts = v1.map((base) => new URL(base).host);
  return ({ url = [] }) => {
    const [, host = ''] = partlyWritten.exec(flat(url)) ?? [];
    const isSuch = new RegExp(`^${host.split(unknownPart).map(escaped).join('[^/]+')}$`, 'i');
    return host.includes('.') && hosts.some((each) => isSuch.test(each));
  };
}

const partlyWritten = new RegExp(`^https?://(?=[^/?#]*${unknownPart})([^/?#]*)/`, 'i');

/** A path or an address from its beginning, or the header's whole name: not a word in a sentence, a file, or a part of something longer. */
function isAddress(node: Node, bases: Bases): boolean {
  const text = plainTextIn(node);
  if (node.kind === 'string' && namesHeaderTo(node)) return true;
  if (text !== undefined && (node.kind === 'string' || text.includes('://')))
    return isWhole(text) && matchUrl(text, bases).kind !== 'foreign';
  if (node.kind === 'template')
    return node.texts.every(({ value }) => !/\s/.test(value)) && node.texts.some(({ value }) => /^\/v1\b/.test(value));
  return node.kind !== 'patternProperty';
}

/** `x-api-key`, and for an expectation the path to it: `expect(call).toHaveProperty('headers.x-api-key')`. */
function namesHeaderTo({ value, parent }: StringNode): boolean {
  const text = value.toLowerCase();
  if (text === v1Auth.field) return true;
  const method = parent?.kind === 'call' && parent.callee.kind === 'member' ? parent.callee.property : undefined;
  return /property/i.test(method ?? '') && toHeader.test(text);
}

const toHeader = new RegExp(`\\bheaders(?:\\.|\\[["'])${v1Auth.field}(?:["']\\])?$`);

/** `${this.baseUrl}/v1/contacts` in a function of no class or object: what it is put into, elsewhere, may have one of ours. */
function isBehindUnknownSelf(node: Node): boolean {
  const first = node.kind === 'template' && node.texts[0]?.value === '' ? node.expressions[0] : undefined;
  if (first?.kind !== 'member' || first.object.kind !== 'this') return false;
  let around = node.parent;
  while (around !== undefined && around.kind !== 'class' && around.kind !== 'object') around = around.parent;
  return around === undefined;
}

/** A path that a client puts behind its base; of other systems it may be a subject, or a name. */
const isBare = (node: Node): boolean =>
  node.kind === 'string' ? isWhole(`/${node.value}`) : node.kind === 'template' && node.texts[0]?.value.startsWith('v1/') === true;

/** `socket.write('GET /v1/contacts HTTP/1.1\\r\\nHost: …')`: a request as it is sent (https://www.rfc-editor.org/rfc/rfc9112#section-3). */
const isMessage = (node: Node): boolean => /^[A-Z]+ \/v1\/\S* HTTP\/1\.[01]\r?\n/.test(textIn(node).trimStart());

/** `request('GET /v1/contacts')`, a tag before such a template: where a function of the project gets the whole, it may ask for that. */
function isHandedRoute(ev: Evaluation, { node, module }: Place): boolean {
  const { parent } = node;
  const called = parent?.kind === 'call' ? parent.callee : parent?.kind === 'tagged' ? parent.tag : undefined;
  if (called === undefined || !isRequestLine(node)) return false;
  return optionsOf(ev.evaluate(called, { module, frame: undefined })).some(({ type }) => type === 'function');
}

const address = /^(?:https?:\/\/[^\s/]+)?(\/v1(?:\/[^\s?#]*)?)(?:[?#]\S*)?$/;
const isWhole = (text: string): boolean => isPath(address.exec(text)?.[1] ?? '');

/** `client.get('/v1/contacts', { headers: { 'x-api-key': key } })`, whatever the client is. */
function callsWithHeader(bases: Bases): (place: Place) => boolean {
  const known = new Map<Node, boolean>();
  const puts = new Map<Binding, boolean>();
  return ({ node, module }) => {
    const { parent } = node;
    if (parent?.kind === 'assign') {
      const options = optionsOfPath(parent, module);
      if (options === undefined) return false;
      const isPut = puts.get(options) ?? isPutBesideHeader(options, bases);
      puts.set(options, isPut);
      return isPut;
    }
    const around = givenAround(node);
    if (around === undefined) return false;
    const isWith = known.get(around) ?? (around.kind === 'call' ? around.args : [around]).some(namesHeader);
    known.set(around, isWith);
    return isWith;
  };
}

/** The call that is given an address, or what describes a request to one: `send({ path: '/v1/contacts', headers: { 'x-api-key': key } })`. */
function givenAround(node: Node): CallNode | ObjectNode | undefined {
  const { parent } = node;
  if (parent?.kind === 'call') return isExpectation(parent) ? undefined : parent;
  const described = parent?.kind === 'property' && isRoute(node) ? parent.parent : undefined;
  const call = described?.parent;
  return described?.kind === 'object' && call?.kind === 'call' && !isExpectation(call) ? described : undefined;
}

/** What a path is put into: `options.path = '/v1/contacts'`. */
const optionsOfPath = ({ target }: AssignNode, { scopes }: SourceModule): Binding | undefined =>
  target.kind === 'member' && target.object.kind === 'name' ? scopes.bindingOf(target.object) : undefined;

/** `options.headers = { 'x-api-key': key }`, whatever made the options, unless they are for another host. */
function isPutBesideHeader({ references }: Binding, bases: Bases): boolean {
  const writes = references.flatMap(writeThrough);
  const isElsewhere = ({ value }: AssignNode): boolean =>
    value.kind === 'string' && matchUrl(value.value.replace(/^(?!https?:)(?=[\w-]+\.)/, 'https://'), bases).kind === 'foreign';
  return writes.some(putsHeader) && !writes.some(isElsewhere);
}

const putsHeader = ({ target, value }: AssignNode): boolean =>
  namesHeader(value) || (target.kind === 'member' && target.computed?.kind === 'string' && isKeyHeader(target.computed.value));

/** `options.headers['x-api-key'] = key` */
function writeThrough(name: Node): readonly AssignNode[] {
  let at = name;
  while (at.parent?.kind === 'member' && at.parent.object === at) at = at.parent;
  return at !== name && at.parent?.kind === 'assign' && at.parent.target === at ? [at.parent] : [];
}

/** What a test expects of a call that was found, or of what is somebody else's, is found with that. */
const isExpectation = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && /^(?:to[A-Z]|(?:\w*[cC]alled|deep|not|strict)\w*$)/.test(callee.property ?? '');

const plainIn = (node: Node): string | undefined => (node.kind === 'string' ? node.value : undefined);

/** `{ 'x-api-key': key }`, `{ header: 'x-api-key' }` */
function namesHeader(node: Node): boolean {
  let found = false;
  walk(node, (each) => {
    found ||= each.kind === 'property' && [each.name, plainIn(each.value)].some(isKeyHeader);
    return !found;
  });
  return found;
}

/** Whether the place itself says that it is no call: a page's own links, what a test is called, what a server of the user's own compares and allows. */
function isSpoken(ev: Evaluation, place: Place, bases: Bases): boolean {
  const { node, module } = place;
  if (takesBoth(node, module) || (!isTest(module) && isCompared(place))) return true;
  for (let at: Node | undefined = node; at !== undefined && at.kind !== 'function'; at = at.parent) {
    if (at.kind === 'variable') return isGivenToOthers(ev, at, module, bases);
    if (at.kind === 'other' && at.what === 'JsxAttribute') return true;
    if (at.kind === 'property' && (allowing.test(at.name ?? '') || (at.value === node && labels.has(at.name ?? '')))) return true;
    if (at.kind === 'call') return isTitle(node) || isOfOthers(ev, at, module, bases) || isHandedToOthers(ev, at, place, bases);
  }
  return false;
}

/** `request.url === '/v1/messages'`, `request.url.startsWith('/v1/')`, `/^\/v1\/messages/.test(request.url)`. */
function isCompared({ node, module }: Place): boolean {
  const { parent } = node;
  if (parent?.kind === 'binary') return isIncoming(parent, module);
  if (parent?.kind === 'member' && parent.object === node && /^(?:test|exec)$/.test(parent.property ?? ''))
    return parent.parent?.kind === 'call' && parent.parent.args.some((arg) => isIncoming(arg, module));
  if (parent?.kind !== 'call' || parent.callee.kind !== 'member') return false;
  // What hangs on a request may be a client that is asked: `request.server.messaging.get('/v1/messages')`.
  return comparing.test(parent.callee.property ?? '') && isIncoming(parent.callee.object, module);
}

const comparing = /^(?:startsWith|endsWith|includes|(?:last)?[iI]ndexOf|match|search|equals|localeCompare|replace(?:All)?|split)$/;

/** What a request to somebody else is made of, or a question to a server of the user's own: `request(app).get(path).set(headers)`. */
const isOfOthers = (ev: Evaluation, call: CallNode, module: SourceModule, bases: Bases): boolean =>
  isInjected(call) ||
  isToOthers(ev, call, module, bases) ||
  makesForOthers(ev, call, module, bases) ||
  (call.callee.kind === 'member' && isOfServer(ev, call.callee.object, module));

/** `axios.create({ baseURL: 'https://crm.example.com/v1', headers })` of a client that nobody is seen to ask: its base says whose it is, or the default of a variable. */
function makesForOthers(ev: Evaluation, node: CallNode, module: SourceModule, bases: Bases): boolean {
  const made = ev.budget.question({ node, module }, () => ev.evaluate(node, { module, frame: undefined })).value;
  const of = optionsOf(made).flatMap((each) => (each.type === 'http' && each.base !== undefined ? optionsOf(each.base) : [each]));
  const said = of.filter(({ type }) => type !== 'env');
  return said.length > 0 && said.every((base) => base.type === 'text' && matchUrl(flat(base.parts), bases).kind === 'foreign');
}

/** `const headers = { 'x-api-key': 'internal' }`, of which all that name it make such a request. */
function isGivenToOthers(ev: Evaluation, { target }: VariableNode, module: SourceModule, bases: Bases): boolean {
  const binding = target.kind === 'patternName' ? module.scopes.declaredBy(target) : undefined;
  if (binding === undefined || binding.references.length === 0 || module.exports.size > 0 || module.whole !== undefined) return false;
  return binding.references.every((reference) => {
    let at: Node | undefined = reference;
    while (at !== undefined && at.kind !== 'call' && at.kind !== 'function' && at.kind !== 'variable') at = at.parent;
    return at?.kind === 'call' && isOfOthers(ev, at, module, bases);
  });
}

/** `new Request('http://localhost/api', { headers })`: the address beside it is somebody else's. */
function isToOthers(ev: Evaluation, { args: [first] }: CallNode, module: SourceModule, bases: Bases): boolean {
  if (first === undefined || first.kind === 'spread') return false;
  const values = first.kind === 'string' || first.kind === 'name' ? optionsOf(ev.evaluate(first, { module, frame: undefined })) : [];
  const isOther = (text: string | undefined): boolean =>
    text !== undefined && /^https?:/.test(text) && matchUrl(text, bases).kind === 'foreign';
  return values.length > 0 && values.every((value) => isOther(plainText(value)));
}

/** `lead({ 'x-api-key': key })` of a function that only gives it to such a call. */
function isHandedToOthers(ev: Evaluation, { callee, args }: CallNode, { node, module }: Place, bases: Bases): boolean {
  const index = args.findIndex(({ start, end }) => start <= node.start && node.end <= end);
  const options = index === -1 ? [] : optionsOf(ev.evaluate(callee, { module, frame: undefined }));
  return options.length > 0 && options.every((fn) => fn.type === 'function' && givesToOthers(ev, fn, index, bases));
}

function givesToOthers(ev: Evaluation, { node: fn, module }: FunctionValue, index: number, bases: Bases): boolean {
  const target = fn.params[index]?.target;
  const name = target?.kind === 'patternName' ? target.name : undefined;
  let [isGiven, isElsewhere] = [false, false];
  walk(fn, (each) => {
    if (each.kind === 'call' && isToOthers(ev, each, module, bases)) {
      isGiven ||= each.args.some((arg) => mentions(arg, name));
      return false;
    }
    isElsewhere ||= each.kind === 'name' && each.name === name;
    return !isElsewhere;
  });
  return name !== undefined && isGiven && !isElsewhere;
}

function mentions(node: Node, name: string | undefined): boolean {
  let found = false;
  walk(node, (each) => {
    found ||= each.kind === 'name' && each.name === name;
    return !found;
  });
  return found;
}

const labels = new Set(['title', 'label', 'description', 'summary', 'text', 'message', 'placeholder']);
const allowing = /^(?:allow|expos|access-control-)/i;

/** What a server in a test answers, it answers in the place of ours. */
const isTest = ({ file }: SourceModule): boolean =>
  /(?:^|\/)(?:tests?|__tests__|__mocks__|mocks?|e2e)\/|\.(?:test|spec|e2e|mock)\.\w+$/.test(file);
