/** What keeps the base of a request: the objects, classes, lists and clients that it stands in, and the names that it goes by there. */
import { globalObjects } from '../../../evaluate/language/builtins.ts';
import { functionAround } from '../../../evaluate/calls/callees.ts';
import { combined } from '../../../evaluate/libraries/combined.ts';
import { originOf } from '../../../evaluate/libraries/library.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { urlPartNames } from '../../../evaluate/values/text.ts';
import { nodesOf } from '../../../evaluate/values/provenance.ts';
import { isSame } from '../../../evaluate/values/same.ts';
import { type ExternalValue, type HttpValue, type InstanceValue, nothing, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import type { Node } from '../../../syntax/tree.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import { AroundBase, lineOf, type Place } from './around-bases.ts';

export interface BaseHolder {
  /** The names of properties that may be about this base, beside those that may be about any (`mayHoldAnyBase`). */
  readonly names: ReadonlySet<string>;
  /** Those that a copy of what keeps the base may have something else under: no library's own, none of what a single call is given, and none that is read of a constant alone. */
  readonly ownNames: ReadonlySet<string>;
  /** Whether a property of this name may be about the base; undefined is a name that is not known. */
  mayBeNamed(name: string | undefined): boolean;
  /** Whether it is by a method of this name that the request is made. */
  isMethod(name: string | undefined): boolean;
  /** Whether a method of this name gives the base. */
  isGiver(name: string | undefined): boolean;
  /** Whether all that reads the base by this name is known to have this instance, too: what is asked by it is a request of its own then. */
  isReadAs(instance: InstanceValue, name: string): boolean;
  /** Whether a value is what keeps the base, as far as is known. */
  isKept(value: Value, name: string | undefined): 'yes' | 'maybe' | 'no';
}

/** Where the host of an address comes from. */
function placesOfBase({ request: { url = [] } }: RequestSite): Place[] {
  const [first] = url;
  if (first === undefined) return [];
  const own = 'unknownPart' in first ? nodesOf(first.unknownPart.provenance) : first.source === undefined ? [] : [{ ...first.source }];
  return [...nodesOf(first.provenance), ...own];
}

/** Everything that the addresses of requests come through, as far as they were followed. */
export function reckonedIn(sites: readonly RequestSite[]): ReadonlySet<Node> {
  const found = new Set<Node>();
  for (const { request, byDefault } of sites) {
    for (const part of [request, ...byDefault].flatMap(({ url = [] }) => url)) {
      for (const { node } of nodesOf(part.provenance)) found.add(node);
      if ('text' in part) {
        if (part.source !== undefined) found.add(part.source.node);
        continue;
      }
      for (const option of optionsOf(part.unknownPart)) {
        for (const { node } of nodesOf(option.provenance)) found.add(node);
        if ('node' in option && option.node !== undefined) found.add(option.node);
      }
    }
  }
  return found;
}

const partNames = new Set(['href', ...urlPartNames]);
/** Parts that no host hangs on. */
const besideHost = new Set(['search', 'path', 'pathname', 'port']);

export function baseHolderOf(ev: Evaluation, site: RequestSite): BaseHolder {
  const { call, origins } = site.request;
  const places = placesOfBase(site);
  const around = new AroundBase(ev, places, site.request);
  const { names, readers, givers } = around;
  const isGlobalFetch = origins.includes('global fetch');
  const method = isGlobalFetch ? 'fetch' : call.kind === 'call' && call.callee.kind === 'member' ? call.callee.property : undefined;
  const own = method === undefined ? names : new Set(names).add(method);
  return {
    names: own,
    ownNames: new Set([...around.ownNames, ...(method === undefined ? [] : [method])]),
    mayBeNamed: (name) => name === undefined || own.has(name) || mayHoldAnyBase(ev, name),
    isMethod: (name) => name !== undefined && name === method,
    isGiver: (name) => name !== undefined && givers.has(name),
    isReadAs: (instance, name) => {
      const reads = readers.get(name) ?? [];
      return reads.length > 0 && reads.every((read) => optionsOf(read()).some((option) => isMadeAs(option, instance)));
    },
    isKept: keptIn(ev, around, { places, origins, method, isGlobalFetch }),
  };
}

/** How a request is made: what its address is of, and by what it is asked. */
interface Asking {
  readonly places: readonly Place[];
  readonly origins: RequestSite['request']['origins'];
  readonly method: string | undefined;
  readonly isGlobalFetch: boolean;
}

const certainly = (is: boolean): 'yes' | 'no' => (is ? 'yes' : 'no');

function keptIn(
  ev: Evaluation,
  { names, holders, fields }: AroundBase,
  { places, origins, method, isGlobalFetch }: Asking,
): BaseHolder['isKept'] {
  const { isSetting } = combined(ev.rules);
  const texts = new Set(places.map(({ node }) => node));
  const isClient = (value: HttpValue | ExternalValue): boolean =>
    value.type === 'http'
      ? holders.has(value.node) || origins.includes(value.origins.at(-1) ?? value.node)
      : value.source !== '' && origins.includes(originOf(value));
  return (value, name) => {
    const isNamed = name === undefined || names.has(name);
    switch (value.type) {
      case 'object':
        return certainly(holders.has(value.node) && isNamed);
      case 'class':
        return certainly(holders.has(value.node) && isNamed && fields.mayHold(value.node, name));
      case 'instance':
        return certainly(isNamed && [...lineOf(ev, value.of)].some((node) => holders.has(node) && fields.mayHold(node, name)));
      case 'list':
        return certainly(value.nodes.some((node) => node?.parent !== undefined && holders.has(node.parent)));
      case 'text':
        return certainly(
          (name === undefined || isPartWithHost(name)) &&
            value.parts.some((part) => 'text' in part && part.source !== undefined && texts.has(part.source.node)),
        );
      case 'external':
      case 'http':
        if (value.type === 'external' && value.source === '' && globalObjects.has(value.path.join('.')))
          return isGlobalFetch && (name ?? method) === method ? 'maybe' : 'no';
        return certainly(isClient(value) && (isNamed || isSetting(name) || name === method));
      case 'method':
        if (value.receiver.type !== 'http' && value.receiver.type !== 'external') break;
        return certainly(isClient(value.receiver) && isSetting(value.path[0]) && (isNamed || isSetting(name)));
      case 'unknown':
      case 'param':
        break;
      default:
        return 'no';
    }
    return isNamed ? 'maybe' : 'no';
  };
}

/** Whether both are made of one class with the same arguments; one that stands in a function may be another each time. */
const isMadeAs = (value: Value, { of, args = [] }: InstanceValue): boolean =>
  value.type === 'instance' &&
  value.of.node === of.node &&
  functionAround(of.node) === undefined &&
  value.args?.length === args.length &&
  args.every((each, index) => isSame(each, value.args?.[index] ?? nothing));

/** Whether it is a part of an address that has the host with it. */
const isPartWithHost = (name: string): boolean => partNames.has(name) && !besideHost.has(name);

/** Whether a property of this name may be about the base of any request. */
export const mayHoldAnyBase = (ev: Evaluation, name: string): boolean => combined(ev.rules).isSetting(name) || isPartWithHost(name);
