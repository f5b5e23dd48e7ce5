/** Functions that requests of a client go through, though no call of them is seen: interceptors, hooks, a `fetch` of one's own. */
import { servesByFunction } from '../../../clients/servers/frameworks.ts';
import { type Call, callsOf, forAllCallers, passedOn } from '../../../evaluate/calls/all-callers.ts';
import type { Place } from '../../../evaluate/budget.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { type HttpValue, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import { memo, memoOf } from '../../../once.ts';
import { type Binding, namesIn, variableOf } from '../../../syntax/scopes.ts';
import type { AssignNode, CallNode, FunctionNode, Node, PatternName } from '../../../syntax/tree.ts';
import { functionsAround } from '../../../requests/left-to-default.ts';
import { walk } from '../../../syntax/link.ts';
import { isShown } from '../harmless-calls.ts';
import { readersIn } from '../readers.ts';
import { ruleNamed, rulesWith } from '../../../evaluate/libraries/rules.ts';
import { combined } from '../../../evaluate/libraries/combined.ts';

export interface HookedClient {
  /** undefined where it may be any client. */
  readonly library: string | undefined;
  /** What the client was made from, where that is known. */
  readonly origins?: HttpValue['origins'];
  /** Whether it can be no other client than one that was made from these. */
  readonly isAlone?: boolean;
  /** Where a function is given to requests and to no client, these alone: `fetch(url).then(…)`, `ky(url, { hooks })`. */
  readonly given?: readonly HttpValue[];
}

export type Hooked = (fn: FunctionNode, module: SourceModule) => readonly HookedClient[];

const known = new WeakMap<Evaluation, Hooked>();

/** @returns what tells of a function which clients it is given to; asked of few of all functions */
export function hookedIn(ev: Evaluation): Hooked {
  const before = known.get(ev);
  if (before !== undefined) return before;
  const placesOf = (binding: Binding, of: SourceModule): readonly Place[] => readersIn(ev).of(binding, of);
  const found = new Map<FunctionNode, readonly HookedClient[]>();
  const hooked: Hooked = (fn, module) => {
    const already = found.get(fn);
    if (already !== undefined) return already;
    const places = new Set<Place>([
      { node: fn, module },
      ...namedBy(fn, module).flatMap((binding) => placesOf(binding, module)),
      ...ev.budget.question({ node: fn, module }, () => passedOn(ev, fn), maxForPlaces).value,
    ]);
    const seen = new Set<Node>();
    // A set that grows while it is walked.
    for (const place of places) {
      if (seen.has(place.node)) continue;
      seen.add(place.node);
      for (const further of onward(place, placesOf)) places.add(further);
    }
    const each = new Map([...places].map((place) => [place.node, place]));
    const clients = [...each.values()].flatMap((place) => clientsAt(ev, place));
    found.set(fn, clients);
    return clients;
  };
  known.set(ev, hooked);
  return hooked;
}

/** `auth.sign(config)`, where whoever makes the client says whose method that is. */
function callsByName(ev: Evaluation, { parent }: FunctionNode): readonly Call[] {
  const name = parent?.kind === 'classMember' || parent?.kind === 'property' ? parent.name : undefined;
  return name === undefined ? [] : openCallsOf(ev)(name);
}

const openCallsOf = memoOf((ev: Evaluation) =>
  memo((name: string): readonly Call[] =>
    (methodCallsIn(ev).get(name) ?? []).filter(({ node: { callee }, module }) => {
      const asked = ev.budget.question({ node: callee, module }, () => ev.evaluate(callee, { module, frame: undefined }), maxForName);
      return optionsOf(asked.value).some(({ type }) => type === 'param' || type === 'method' || type === 'unknown');
    }),
  ),
);

const methodCallsIn = memoOf(({ world }: Evaluation): ReadonlyMap<string | undefined, readonly Call[]> =>
  Map.groupBy(
    [...world.modules.values()].flatMap((module) => module.calls.map((node): Call => ({ node, module }))),
    ({ node: { callee } }) => (callee.kind === 'member' ? callee.property : undefined),
  ),
);

/** Steps to find out whose method is called: most are known at once. */
const maxForName = 500;

/** And where a function is handed on: the places that speak of it by its own name come first, and those by names of names after them. */
const maxForPlaces = 1_000;

/** How many functions call each other on the way from a hook to what it asks. */
const maxCalls = 3;

/** Clients that a function is a hook of, or that have a hook which hands it on what it is given: `use((config) => { check(config.url); return config; })`. */
export function calledByHooks(ev: Evaluation): Hooked {
  const hooked = hookedIn(ev);
  const onwards = memoOf((fn: FunctionNode) => [...callsOf(ev, fn), ...callsByName(ev, fn)].flatMap((call) => handedOnAt(call, fn)));
  // A function may be called by hundreds, and each of them by as many.
  const known = Array.from({ length: maxCalls + 1 }, () => new Map<FunctionNode, readonly HookedClient[]>());
  const clientsOf = (fn: FunctionNode, module: SourceModule, calls: number): readonly HookedClient[] => {
    const before = known[calls]?.get(fn);
    if (before !== undefined) return before;
    const own = hooked(fn, module);
    const isEnd = own.length > 0 || calls === maxCalls;
    const found = isEnd ? own : [...new Set(onwards(fn).flatMap(({ by, module: of }) => clientsOf(by, of, calls + 1)))];
    known[calls]?.set(fn, found);
    return found;
  };
  return (fn, module) => clientsOf(fn, module, 0);
}

/** The functions that a call stands in, if it hands on what one of them is given. */
function handedOnAt({ node, module }: Call, fn: FunctionNode): readonly { readonly by: FunctionNode; readonly module: SourceModule }[] {
  const around = [...functionsAround(node)];
  const handsOn = around.some((by) => node.args.some((arg) => namesParamOf(by, arg, module)));
  return handsOn && !isShown(node) ? around.flatMap((by) => (by === fn ? [] : [{ by, module }])) : [];
}

function namesParamOf(fn: FunctionNode, arg: Node, { scopes }: SourceModule): boolean {
  let found = false;
  walk(arg, (node) => {
    const owner = node.kind === 'name' ? scopes.bindingOf(node)?.owner : undefined;
    found ||= owner?.kind === 'param' && owner.parent === fn;
    return !found;
  });
  return found;
}

/** Where a function goes on to: by a function that makes it, and by a list whose items are registered one by one. */
function* onward({ node, module }: Place, placesOf: (binding: Binding, of: SourceModule) => readonly Place[]): Generator<Place> {
  let at: Node = node;
  while (at.parent !== undefined && isHolder(at.parent)) at = at.parent;
  const { parent } = at;
  const maker = parent?.kind === 'return' ? functionAround(parent) : parent?.kind === 'function' && parent.body === at ? parent : undefined;
  for (const binding of maker === undefined ? [] : namedBy(maker, module))
    for (const { node: name, module: of } of placesOf(binding, module))
      if (name.parent?.kind === 'call' && name.parent.callee === name) yield { node: name.parent, module: of };
  if (parent?.kind === 'variable' && (at !== node || parent.each !== undefined))
    for (const name of namesIn(parent.target)) yield* placesOfName(name, module, placesOf);
  const [each] = parent?.kind === 'member' && parent.parent?.kind === 'call' ? parent.parent.args : [];
  const [param] = each?.kind === 'function' ? each.params : [];
  for (const name of param === undefined ? [] : namesIn(param.target)) yield* placesOfName(name, module, placesOf);
}

function placesOfName(
  name: PatternName,
  module: SourceModule,
  placesOf: (binding: Binding, of: SourceModule) => readonly Place[],
): readonly Place[] {
  const binding = module.scopes.declaredBy(name);
  return binding === undefined ? [] : placesOf(binding, module);
}

function functionAround({ parent }: Node): FunctionNode | undefined {
  let at = parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at;
}

/** The names that a function goes by: its own, or that of the variable that holds it. */
export function namedBy(fn: FunctionNode, { scopes }: SourceModule): Binding[] {
  const { name } = fn;
  const own = name === undefined ? undefined : scopes.declaredBy(name);
  return [own, variableOf(fn, scopes)].flatMap((binding) => binding ?? []);
}

function clientsAt(ev: Evaluation, { node, module }: Place): readonly HookedClient[] {
  let at: Node = node;
  let isOwnFetch = false;
  for (; at.parent !== undefined && isHolder(at.parent); at = at.parent) isOwnFetch ||= isFetch(at.parent);
  const { parent } = at;
  if (parent?.kind === 'classMember') return combined(ev.rules).hookMethods.has(parent.name ?? '') ? anyClient : [];
  // What a test puts there answers: no request goes through it.
  if (parent?.kind === 'assign' && !isTest(module) && isAdapter(parent.target))
    return ev.budget.question({ node: parent, module }, () => clientsOf(ev, parent, parent.target, module)).value;
  if (parent?.kind === 'assign') return isFetch(parent.target) && !isTest(module) ? anyClient : [];
  if (parent?.kind !== 'call' || parent.callee === at) return [];
  if (isOwnFetch) return servesIn(ev, parent, module) ? [] : fetchersOf(ev, parent, module);
  return ev.budget.question({ node: parent, module }, () => clientsOf(ev, parent, parent.callee, module)).value;
}

export const anyClient: readonly HookedClient[] = [{ library: undefined }];

/** `Bun.serve({ fetch: (req) => … })`: what comes to a server, https://bun.com/docs/api/http. */
function servesIn(ev: Evaluation, { callee }: CallNode, module: SourceModule): boolean {
  const { value: callees } = ev.budget.question({ node: callee, module }, () =>
    optionsOf(ev.evaluate(callee, { module, frame: undefined })),
  );
  return callees.every((each) => each.type === 'external' && servesByFunction.has([each.source, ...each.path].join(' ')));
}

/** What a package's client is given as its `fetch` gets the requests of that client alone; what makes none may set it for all. */
function fetchersOf(ev: Evaluation, call: CallNode, module: SourceModule): readonly HookedClient[] {
  if (!makesSomething(call, module)) return anyClient;
  const { value: makers } = ev.budget.question({ node: call.callee, module }, () =>
    optionsOf(ev.evaluate(call.callee, { module, frame: undefined })),
  );
  const isOfPackage = makers.every((maker) => maker.type === 'external' && maker.source !== '');
  if (!isOfPackage || makers.length === 0) return anyClient;
  return makers.flatMap((maker) => {
    const library = libraryOf(ev, maker);
    return library === undefined ? [] : { library };
  });
}

/** `const client = createClient(…)`: not a statement that is a call, nor what says so, as `const undo = install({ fetch })`. */
function makesSomething(call: CallNode, { text }: SourceModule): boolean {
  const made = call.parent?.kind === 'await' ? call.parent : call;
  const { parent } = made;
  if (call.isNew) return true;
  if (setting.test(text.slice(call.callee.start, call.callee.end))) return false;
  if (parent?.kind === 'member') return parent.object === made && !/^(?:then|catch|finally)$/.test(parent.property ?? '');
  return parent !== undefined && keeping.has(parent.kind);
}

const setting = /install|patch|polyfill|override|extend|merge|assign|global/i;
const keeping: ReadonlySet<Node['kind']> = new Set([
  'variable',
  'property',
  'classMember',
  'assign',
  'return',
  'function',
  'exportDeclaration',
]);

const isHolder = ({ kind }: Node): boolean => kind === 'property' || kind === 'object' || kind === 'array';

/** `{ fetch: withKey }`, `globalThis.fetch = withKey`. */
const isFetch = (node: Node): boolean =>
  (node.kind === 'property' && node.name === 'fetch') || (node.kind === 'member' && node.property === 'fetch');

/** `client.interceptors.request.use` */
const isInterceptors = (node: Node): boolean =>
  node.kind === 'member' && node.property === 'use' && node.object.kind === 'member' && isOfInterceptors(node.object.object);
const isOfInterceptors = (node: Node): boolean => node.kind === 'member' && node.property === 'interceptors';

/** `client.defaults.adapter = …`: what asks for the client. */
const isAdapter = (node: Node): boolean =>
  node.kind === 'member' && node.property === 'adapter' && node.object.kind === 'member' && node.object.property === 'defaults';

/** Mocks are given functions, too: what these compare with is no client's. */
const isClient = (value: Value): boolean => value.type === 'http' && value.mock === undefined;

/** What a package calls the places that it takes such functions at. */
const registering = /interceptor|hook|middleware|compose/i;

/** @param through what leads to the place, as a member of the client */
function clientsOf(ev: Evaluation, call: CallNode | AssignNode, through: Node, module: SourceModule): readonly HookedClient[] {
  const at = { module, frame: undefined };
  const found: Value[] = [];
  let isWhole = true;
  // `client.interceptors.response.use(…)`: what is called is a method of something that the client has.
  for (let object = through; object.kind === 'member' && found.length === 0; object = object.object) {
    const of = object.object;
    // `const guard = (client) => client.interceptors.request.use(…)`: whoever calls it says which.
    const options = optionsOf(forAllCallers(ev, undefined, (frame) => ev.evaluate(of, { module, frame })));
    found.push(...options.filter(isClient));
    // A caller of which nothing is known may give any.
    isWhole = options.every(({ type }) => type === 'http' || type === 'literal');
  }
  found.push(...optionsOf(ev.evaluate(through, at)).filter((callee) => callee.type === 'external' && registers(ev, callee)));
  if (found.length === 0) found.push(...optionsOf(ev.evaluate(call, at)).filter(isClient));
  // Whose interceptors these are, nobody knows.
  if (found.length === 0 && isInterceptors(through)) return anyClient;
  const libraries = [...new Set(found.map((value) => libraryOf(ev, value)))];
  const given = found.flatMap((value) => (value.type === 'http' && value.stage === 'request' ? value : []));
  // What a function is given by callers that are not seen may be any request.
  const about = given.length === found.length && !isOfParam(through, module) ? { given } : {};
  return libraries.flatMap((library): HookedClient[] => {
    const rule = ruleNamed(ev.rules, library);
    if (rule?.isHookless === true) return [];
    const others = rulesWith(ev.rules, 'asksThrough').flatMap(({ name, asksThrough }) =>
      library !== undefined && asksThrough === library ? { library: name, ...about } : [],
    );
    const originsOf = found.flatMap((value) => (libraryOf(ev, value) !== library ? [] : [value.type === 'http' ? value.origins : []]));
    // One of them that nothing is known of may be any.
    const isAlone = isWhole && originsOf.every((each) => each.some((origin) => typeof origin !== 'string'));
    const origins = originsOf.flat();
    const made = origins.length > 0 && { origins, isAlone };
    return [{ library: rule?.isBelowOthers === true ? undefined : library, ...made, ...about }, ...others];
  });
}

function isOfParam(node: Node, { scopes }: SourceModule): boolean {
  let root = node;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  return root.kind === 'name' && scopes.bindingOf(root)?.owner.kind === 'param';
}

const registers = (ev: Evaluation, { source, path }: Extract<Value, { type: 'external' }>): boolean =>
  registering.test(path.join('.')) && combined(ev.rules).modules.has(source);

function libraryOf(ev: Evaluation, value: Value): string | undefined {
  if (value.type === 'http') return value.client;
  return value.type === 'external' ? ev.rules.find(({ modules }) => modules?.includes(value.source))?.name : undefined;
}

/** Whether a hook is called with what came back: `interceptors.response.use(…)`, `afterResponse: […]`, or by the name of what it is given. */
export function getsAnswers({ params: [param], ...fn }: FunctionNode): boolean {
  let at: Node | undefined = fn.parent;
  while (at?.kind === 'array') at = at.parent;
  const registered = at?.kind === 'property' ? at.name : at?.kind === 'call' ? ownerOf(at.callee) : undefined;
  return answer.test(registered ?? '') || (param?.target.kind === 'patternName' && answer.test(param.target.name));
}

const answer = /response$|^res$/i;
/** `response` of `client.interceptors.response.use`. */
const ownerOf = (callee: Node): string | undefined =>
  callee.kind === 'member' && callee.object.kind === 'member' ? callee.object.property : undefined;
