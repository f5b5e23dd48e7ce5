/** Functions that requests of a client go through, though no call of them is seen: interceptors, hooks, a `fetch` of one's own. */
import type { Place } from '../evaluate/budget.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { optionsOf, type Value } from '../evaluate/values.ts';
import type { Binding } from '../syntax/scopes.ts';
import type { CallNode, FunctionNode, Node } from '../syntax/tree.ts';
import { type Readers, readersIn } from './readers.ts';

/** `library` is undefined where it may be any client. */
export interface HookedClient {
  readonly library: string | undefined;
}

export type Hooked = (fn: FunctionNode, module: SourceModule) => readonly HookedClient[];

const known = new WeakMap<Evaluation, Hooked>();

/** @returns what tells of a function which clients it is given to; asked of few of all functions */
export function hookedIn(ev: Evaluation): Hooked {
  const before = known.get(ev);
  if (before !== undefined) return before;
  let readers: Readers | undefined;
  const found = new Map<FunctionNode, readonly HookedClient[]>();
  const hooked: Hooked = (fn, module) => {
    const clients =
      found.get(fn) ??
      [{ node: fn, module }, ...namedBy(fn, module).flatMap((binding) => (readers ??= readersIn(ev)).of(binding, module))].flatMap(
        (place) => clientsAt(ev, place),
      );
    found.set(fn, clients);
    return clients;
  };
  known.set(ev, hooked);
  return hooked;
}

/** The names that a function goes by: its own, or that of the variable that holds it. */
export function namedBy(fn: FunctionNode, { scopes }: SourceModule): Binding[] {
  const { parent, name } = fn;
  const own = name === undefined ? undefined : scopes.declaredBy(name);
  const held = parent?.kind === 'variable' && parent.target.kind === 'patternName' ? scopes.declaredBy(parent.target) : undefined;
  return [own, held].flatMap((binding) => binding ?? []);
}

function clientsAt(ev: Evaluation, { node, module }: Place): readonly HookedClient[] {
  let at: Node = node;
  let isOwnFetch = false;
  for (; at.parent !== undefined && isHolder(at.parent); at = at.parent) isOwnFetch ||= isFetch(at.parent);
  const { parent } = at;
  if (parent?.kind === 'classMember') return parent.name === 'intercept' ? anyClient : [];
  if (parent?.kind === 'assign') return isFetch(parent.target) ? anyClient : [];
  if (parent?.kind !== 'call' || parent.callee === at) return [];
  if (isOwnFetch) return anyClient;
  return ev.budget.question({ node: parent, module }, () => clientsOf(ev, parent, module)).value;
}

export const anyClient: readonly HookedClient[] = [{ library: undefined }];

const isHolder = ({ kind }: Node): boolean => kind === 'property' || kind === 'object' || kind === 'array';

/** `{ fetch: withKey }`, `globalThis.fetch = withKey`. */
const isFetch = (node: Node): boolean =>
  (node.kind === 'property' && node.name === 'fetch') || (node.kind === 'member' && node.property === 'fetch');

/** Mocks are given functions, too: what these compare with is no client's. */
const isClient = (value: Value): boolean => value.type === 'http' && value.mock === undefined;

/** What a package calls the places that it takes such functions at. */
const registering = /interceptor|hook|middleware|compose/i;

function clientsOf(ev: Evaluation, call: CallNode, module: SourceModule): readonly HookedClient[] {
  const at = { module, frame: undefined };
  const found: Value[] = [];
  // `client.interceptors.response.use(…)`: what is called is a method of something that the client has.
  for (let object: Node = call.callee; object.kind === 'member' && found.length === 0; object = object.object)
    found.push(...optionsOf(ev.evaluate(object.object, at)).filter(isClient));
  found.push(...optionsOf(ev.evaluate(call.callee, at)).filter((callee) => callee.type === 'external' && registers(ev, callee)));
  if (found.length === 0) found.push(...optionsOf(ev.evaluate(call, at)).filter(isClient));
  return found.map((value) => ({ library: libraryOf(ev, value) }));
}

const registers = (ev: Evaluation, { source, path }: Extract<Value, { type: 'external' }>): boolean =>
  registering.test(path.join('.')) && ev.rules.some(({ modules }) => modules?.includes(source));

function libraryOf(ev: Evaluation, value: Value): string | undefined {
  if (value.type === 'http') return value.client;
  return value.type === 'external' ? ev.rules.find(({ modules }) => modules?.includes(value.source))?.name : undefined;
}
