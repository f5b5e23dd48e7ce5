/** The addresses that code asks about: of what it is given, or of the requests of a client that it is a hook of. */
import { assignmentsOf } from '../../../evaluate/names/assignments.ts';
import { callsOf } from '../../../evaluate/calls/all-callers.ts';
import type { Place } from '../../../evaluate/budget.ts';
import { mayBeCalledOtherwise, placesAsValue } from '../../../evaluate/calls/other-calls.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { urlPart } from '../../../evaluate/values/text.ts';
import { choiceOf, optionsOf, type Part, partsOf, type Value } from '../../../evaluate/values/values.ts';
import type { Request } from '../../../requests/requests.ts';
import { type Binding, stepsTo } from '../../../syntax/scopes.ts';
import type { FunctionNode, Node } from '../../../syntax/tree.ts';
import type { DataflowQuery } from '../dataflow-query.ts';
import { type HookedClient, hookedIn } from '../functions/hooks.ts';

export type Address = readonly Part[];

/** What has to be known to find them. */
export type Asked = Pick<DataflowQuery, 'ev' | 'values' | 'requests'>;

/** Functions that hand an address on to each other further than this are not looked at. */
const maxDepth = 4;

export const isText = ({ type }: Value): boolean => type === 'text' || type === 'env';

/**
 * The addresses that an expression can be, or what it has under names; undefined where that is not known: a parameter by the calls of its function, or by the
 * requests of a client that this is a hook of.
 */
export function addressesAt(
  asked: Asked,
  { node, module }: Place,
  names: readonly string[] = [],
  depth = 0,
): readonly Address[] | undefined {
  const values = names.length === 0 ? asked.values({ node, module }) : [];
  if (values.length > 0 && values.every(isText)) return values.map(partsOf);
  if (depth > maxDepth) return undefined;
  const at = (each: Node, more: readonly string[]): readonly Address[] | undefined =>
    addressesAt(asked, { node: each, module }, more, depth + 1);
  const last = names.at(-1) ?? '';
  if (part.test(last)) return partOf(at(node, names.slice(0, -1)), last);
  switch (node.kind) {
    case 'member':
      return node.property === undefined ? undefined : at(node.object, [node.property, ...names]);
    case 'logical':
      return node.operator === '&&' ? undefined : together([node.left, node.right].map((each) => at(each, names)));
    case 'call': {
      const [given, more] = node.isNew && node.callee.kind === 'name' && node.callee.name === 'URL' ? node.args : [];
      return given === undefined || more !== undefined || names.length > 0 ? undefined : at(given, []);
    }
    case 'name':
      return addressesNamed(asked, { node, module }, names, depth);
    default:
      return undefined;
  }
}

function addressesNamed(asked: Asked, { node, module }: Place, names: readonly string[], depth: number): readonly Address[] | undefined {
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  const taken = binding && takenBy(binding);
  if (binding === undefined || taken === undefined || assignmentsOf(binding).all.length > 0) return undefined;
  const { owner } = binding;
  const way = [...taken, ...names];
  if (owner.kind === 'variable') return owner.init && addressesAt(asked, { node: owner.init, module }, way, depth + 1);
  const fn = owner.kind === 'param' ? owner.parent : undefined;
  if (owner.kind !== 'param' || fn?.kind !== 'function') return undefined;
  const clients = hookedIn(asked.ev)(fn, module);
  if (clients.length > 0)
    return addressing.test(way.join('.')) && isHookAlone(asked.ev, fn, clients) ? addressesBy(asked, clients) : undefined;
  if (mayBeCalledOtherwise(asked.ev, fn)) return undefined;
  const given = callsOf(asked.ev, fn).map((call): readonly Address[] | undefined => {
    const arg = call.node.args[fn.params.indexOf(owner)];
    return arg && addressesAt(asked, { node: arg, module: call.module }, way, depth + 1);
  });
  return given.length === 0 ? undefined : together(given);
}

/** Whether nobody calls it but the clients that it is a hook of: one that is called, listed or handed on as well is asked about other addresses. */
function isHookAlone(ev: Evaluation, fn: FunctionNode, clients: readonly HookedClient[]): boolean {
  // Libraries that ask through the one that it is given to are no places of their own.
  const places = clients.filter(({ library, origins }) => library === undefined || origins !== undefined).length;
  return callsOf(ev, fn).length === 0 && placesAsValue(ev, fn).length <= Math.max(places, 1);
}

/** What clients call the address of a request, and what stands before it, in what they hand to hooks: not a URL that an answer has in its body. */
const addressing = /^(?:(?:config|request|options|error|response)\.)*(?:url|uri|urlWithParams|baseURL|baseUrl|prefixUrl)(?:\.href)?$/;

const part = /^(?:host|hostname|origin)$/;

function partOf(addresses: readonly Address[] | undefined, name: string): readonly Address[] | undefined {
  const whole = addresses && urlPart(choiceOf(addresses.map((parts): Value => ({ type: 'text', parts }))), name);
  return whole && optionsOf(whole).map(partsOf);
}

const together = (all: readonly (readonly Address[] | undefined)[]): readonly Address[] | undefined =>
  all.includes(undefined) ? undefined : all.flatMap((addresses) => addresses ?? []);

/** `const { url } = config`: what a pattern takes is a property of that. */
function takenBy({ owner, declaration }: Binding): readonly string[] | undefined {
  const way = owner.kind === 'variable' || owner.kind === 'param' ? stepsTo(owner.target, declaration) : undefined;
  const names = way?.steps.map((step) => ('property' in step ? step.property : undefined)) ?? [undefined];
  return way?.defaults.length === 0 && names.every((name) => name !== undefined) ? names : undefined;
}

/** Whether a request goes through what a hook is given to: an instance alone, where it is one. */
function isOf({ client, origins }: Request, { library, origins: of = [] }: HookedClient): boolean {
  const made = of.filter((each) => typeof each !== 'string');
  const sources = made.length > 0 ? made : of;
  return (library === undefined || library === client) && (sources.length === 0 || sources.some((each) => origins.includes(each)));
}

function addressesBy({ requests }: Asked, clients: readonly HookedClient[]): readonly Address[] | undefined {
  const all = requests.filter((request) => !request.isMock && clients.some((of) => isOf(request, of)));
  return together(all.map(({ url }) => url && [url]));
}
