/** What a class of Backbone's says of where its instances are, and what these may ask. */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { Place } from '../../../evaluate/budget.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { World } from '../../../evaluate/program.ts';
import { joinUrl } from '../../../evaluate/values/text.ts';
import { choiceOf, type HttpValue, optionsOf, partsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import type { CallNode, Expression, Node, ObjectNode, PropertyNode } from '../../../syntax/tree.ts';
import { memoOf } from '../../../once.ts';
import { headersSetBy, replacedBy } from '../../callbacks.ts';
import { isAnywhere } from '../../whole-program.ts';
import { areTakenOpenly } from './backbone-scripts.ts';
import { asksWithOptions, callsByName, isAskedOtherwise, optionsAt } from './backbone-program.ts';
import { handsItsRequestOn } from './backbone-sync.ts';
import { jqueryOrigins } from './jquery.ts';

export const backbone = 'backbone';
export const [model, collection] = ['Model', 'Collection'];
/** A model is at the one, or below the other. */
export const addresses = ['url', 'urlRoot'];

export interface Described {
  readonly base: Value | undefined;
  readonly headers: readonly Value[];
  readonly isOfItems: boolean;
  /** Whether it is at its address itself, and not below that. */
  readonly isWhole: boolean;
  /** Whether it is asked by its own methods, which have the key. */
  readonly isToldByCalls: boolean;
  /** Whether it asks in a way that is not known. */
  readonly isOpen: boolean;
  /** Of what a collection holds, its class. */
  readonly models: Value | undefined;
}

/** `Model.extend({ … })`, of which all stands there by its name. */
export const isClassOf = ({ args }: CallNode): boolean => args.length === 1 && args[0]?.kind === 'object' && isSaid(args[0]);

const isSaid = ({ properties }: ObjectNode): boolean =>
  properties.every((each) => each.kind === 'property' && each.name !== undefined && each.accessor === undefined);

/** The class that a property is of. */
export function classAround(ev: Evaluation, { parent: object }: PropertyNode, module: SourceModule): HttpValue | undefined {
  const call = object?.parent;
  if (call?.kind !== 'call' || call.args[0] !== object || call.callee.kind !== 'member' || call.callee.property !== 'extend')
    return undefined;
  return optionsOf(ev.evaluate(call, { module, frame: undefined })).find(isClass);
}

const isClass = (value: Value): value is HttpValue => value.type === 'http' && value.client === backbone && value.stage === 'client';

export function describedBy(ev: Evaluation, { node, module }: HttpValue): Described {
  const at = { module, frame: undefined };
  const [own] = node.kind === 'call' ? node.args : [];
  const properties = own?.kind === 'object' ? own.properties : [];
  const named = (key: string): PropertyNode | undefined =>
    properties.find((each): each is PropertyNode => each.kind === 'property' && each.name === key);
  const get = (key: string): Value | undefined => {
    const found = named(key);
    return found && ev.evaluate(found.value, at);
  };
  const isOfItems = node.kind === 'call' && node.callee.kind === 'member' && isOf(ev, node.callee.object, module, collection);
  const address = get('url') ?? (isOfItems ? undefined : get('urlRoot'));
  const sync = get('sync');
  const befores = sync === undefined ? [] : replacedBy(ev, sync, 2, 'beforeSend');
  const hooks = [headersSetBy(ev, sync, 2, ['headers']), ...befores.map((each) => headersSetBy(ev, each, 0, [], ['setRequestHeader']))];
  const headers = hooks.filter((each) => each !== undefined);
  const isReplaced = sync !== undefined && (!handsItsRequestOn(ev, sync) || replacedBy(ev, sync, 2, 'url').length > 0);
  return {
    base: address?.type === 'function' && node.kind === 'call' ? ev.apply(address, [], node, at) : address,
    headers,
    isOfItems,
    isWhole: !isOfItems && named('url') !== undefined,
    isToldByCalls: headers.length === 0 && own?.kind === 'object' && asksWithOptions(own),
    isOpen: isReplaced || [...optionsAt.keys()].some((each) => each !== 'sync' && named(each) !== undefined),
    models: isOfItems ? get('model') : undefined,
  };
}

function isOf(ev: Evaluation, node: Node, module: SourceModule, kind: string): boolean {
  const value = ev.evaluate(node, { module, frame: undefined });
  return value.type === 'external' && value.path.at(-1) === kind;
}

/** All that a class may ask, as far as somebody in the program calls for it. */
export function requestsOf(ev: Evaluation, of: HttpValue, { node, module }: Place): readonly HttpValue[] {
  const { base, headers, isOfItems, isWhole, isOpen, models } = describedBy(ev, of);
  if (base === undefined) return [];
  const items = isOfItems ? (models === undefined ? [] : optionsOf(models)) : [of];
  const classes = items.filter(isClass).map((each) => describedBy(ev, each));
  const isNotKnown = isOpen || classes.length < items.length || classes.some((each) => each.isOpen) || isAskedOtherwise(ev.world);
  const moved = isNotKnown || isExtended(ev, of) ? unknown(node, module, 'assigned') : undefined;
  const request = { type: 'http', client: backbone, stage: 'request', node, module, origins: jqueryOrigins } as const;
  const ask = (method: string, url: Value | undefined, own: readonly Value[], by: readonly string[]): readonly HttpValue[] => {
    const isAsked = by.length === 0 || by.some((each) => isCalled(ev, isOfItems ? undefined : of, each));
    return isAsked && url !== undefined ? [{ ...request, url, method, headers: own, ...(moved && { notes: { moved } }) }] : [];
  };
  const below = joinUrl(base, unknown(node, module), 'slash');
  const [item, made] = isWhole ? [endingOpen(base, true), endingOpen(base, false)] : [below, base];
  const own = classes.flatMap((each) => each.headers);
  // What nobody is seen to ask for, others may, with the key that it sends.
  const list = isOfItems ? ask('GET', base, headers, headers.length > 0 ? [] : ['fetch']) : [];
  // Models that say where they are themselves are not asked for here.
  if (isOfItems && classes.length > 0 && classes.every((each) => each.base !== undefined)) return list;
  const found = [
    ...list,
    ...ask('GET', isWhole ? base : item, own, ['fetch']),
    ...ask('POST', made, own, ['save', 'create']),
    ...ask('PUT', item, own, ['save']),
    ...ask('DELETE', item, own, ['destroy']),
    ...(isAnywhere(ev.world, String.raw`\bpatch\s*:`) ? ask('PATCH', item, own, ['save']) : []),
  ];
  return found.length > 0 || own.length === 0 ? found : ask('GET', isWhole ? base : item, own, []);
}

/** `base + '/contacts/' + this.id`, apart from where something is made. */
function endingOpen(address: Value, isOpen: boolean): Value | undefined {
  const found = optionsOf(address).filter((each) => {
    const last = partsOf(each).at(-1);
    return (last !== undefined && 'unknownPart' in last) === isOpen;
  });
  return found.length === 0 ? undefined : choiceOf(found);
}

/** Whether such a method is called of the class, or of what nobody knows. */
const isCalled = (ev: Evaluation, of: HttpValue | undefined, method: string): boolean =>
  (callsByName(ev.world).get(method) ?? []).some(({ node, module }) => {
    const classes = optionsOf(ev.evaluate(node, { module, frame: undefined })).filter(isClass);
    return of === undefined || classes.length === 0 || classes.some((each) => each.node === of.node);
  });

/** Whether a class inherits from it, which may ask in another way. */
const isExtended = (ev: Evaluation, of: HttpValue): boolean =>
  [...(callsByName(ev.world).get('extend') ?? []), ...inheritedIn(ev.world)].some(({ node, module }) =>
    optionsOf(ev.evaluate(node, { module, frame: undefined })).some((each) => isClass(each) && each.node === of.node),
  ) || areTakenOpenly(ev);

const inheritedIn = memoOf((world: World): readonly { readonly node: Expression; readonly module: SourceModule }[] =>
  [...world.modules.values()].flatMap((module) => module.classes.flatMap(({ superclass: node }) => (node ? { node, module } : []))),
);
