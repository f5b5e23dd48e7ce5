/**
 * Backbone: https://backbonejs.org/#Sync. A class says where what it stands for is, `Model.extend({ urlRoot })` or `Collection.extend({ url })`, and jQuery asks,
 * with what its `sync` puts into the options. What it may ask is described where its address stands: who most calls are of, nobody knows.
 */
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { ClientRule, Receiver, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { choiceOf, type HttpValue, unknown, type Value } from '../../../evaluate/values/values.ts';
import { joinUrl } from '../../../evaluate/values/text.ts';
import type { FunctionNode, Node, PropertyNode } from '../../../syntax/tree.ts';
import { headersSetBy } from '../../callbacks.ts';
import { option } from '../../shapes.ts';
import { addresses, backbone, classAround, collection, describedBy, isClassOf, model, requestsOf } from './backbone-classes.ts';
import { optionsAt } from './backbone-program.ts';
import { ambientMarks } from './backbone-scripts.ts';
import { jqueryOrigins, jqueryRule } from './jquery.ts';

/** A class stands for all that it makes. It holds no address: who is given one has none in hand, and how it is asked the whole program is looked through for. */
function call(call: RuleCall): Value | undefined {
  const { on, path, args, node, module } = call;
  const [first, second, ...more] = path;
  if (on === undefined) {
    if (first === 'ajax' && second === undefined) return jqueryRule.call?.(call);
    if ((first !== model && first !== collection) || second !== 'extend' || more.length > 0 || !isClassOf(node)) return undefined;
    return { type: 'http', client: backbone, stage: 'client', node, module, origins: jqueryOrigins, headers: [] };
  }
  if (on.stage === 'request' || second !== undefined) return undefined;
  // What one instance is told besides, `new Contacts([], { url })`, only that one has.
  if (first === undefined) return node.isNew && args.length < 2 ? on : undefined;
  return first === 'url' || first === 'get' ? had(first, on, call) : asked(first, on, call);
}

/** `model.url()`, `collection.url()`, `collection.get(id)` */
function had(what: 'url' | 'get', on: HttpValue, { node, module, ev }: RuleCall): Value | undefined {
  const { base, models, isOfItems, isWhole } = describedBy(ev, on);
  if (what === 'get') return isOfItems ? models : undefined;
  return isOfItems || isWhole ? base : joinUrl(base, unknown(node, module), 'slash');
}

const methods: Readonly<Record<string, readonly string[]>> = {
  fetch: ['GET'],
  destroy: ['DELETE'],
  save: ['POST', 'PUT', 'PATCH'],
  create: ['POST'],
};

/** `this.fetch({ data, headers })` */
function asked(method: string, on: HttpValue, call: RuleCall): Value | undefined {
  const { node, module, ev, args } = call;
  const at = optionsAt.get(method);
  if (at === undefined) return undefined;
  const options = args[at];
  const headers = [
    option(call, options, 'headers'),
    headersSetBy(ev, option(call, options, 'beforeSend'), 0, [], ['setRequestHeader']),
  ].filter((each) => each !== undefined);
  const url = option(call, options, 'url');
  const all = requestsOf(ev, on, { node, module }).filter((each) => methods[method]?.includes(String(each.method)));
  const own = all.map((each): HttpValue => ({ ...each, ...(url && { url }), headers: [...headers, ...each.headers] }));
  return own.length === 0 ? undefined : choiceOf(own);
}

/** `urlRoot: …` */
function declared(property: PropertyNode, { module }: At, ev: Evaluation): Value | undefined {
  const of = classAround(ev, property, module);
  const all = of === undefined || describedBy(ev, of).isToldByCalls ? [] : requestsOf(ev, of, { node: property, module });
  return all.length === 0 ? undefined : choiceOf(all);
}

/** In its own methods, an instance. */
const thisIn = (ev: Evaluation, { parent: property }: FunctionNode, { module }: At): Value | undefined =>
  property?.kind === 'property' ? classAround(ev, property, module) : undefined;

/** What a class is made of goes to its instances: addresses are asked for, functions are called, and nobody else has what it says so. */
function handsOn(ev: Evaluation, arg: Node, module: SourceModule): readonly Receiver[] | undefined {
  if (arg.kind !== 'object') return undefined;
  const own = arg.properties.map((each) => (each.kind === 'property' && isOwn(each) ? each : undefined));
  const [first] = own;
  return first !== undefined && !own.includes(undefined) && classAround(ev, first, module) !== undefined ? [] : undefined;
}

const isOwn = ({ name: key = '', value }: PropertyNode): boolean =>
  addresses.includes(key) || key === 'model' || value.kind === 'function' || isPlain(value);

const isPlain = (node: Node | undefined): boolean =>
  node?.kind === 'string' ||
  node?.kind === 'literal' ||
  (node?.kind === 'array' && node.elements.every(isPlain)) ||
  (node?.kind === 'object' && node.properties.every((each) => each.kind === 'property' && isPlain(each.value)));

export const backboneRule: ClientRule = {
  name: backbone,
  title: 'Backbone',
  isOfPages: true,
  modules: [backbone],
  globals: ['Backbone'],
  call,
  asksThrough: jqueryRule.name,
  ...(jqueryRule.additions && { additions: jqueryRule.additions }),
  ...(jqueryRule.addsBy && { addsBy: jqueryRule.addsBy }),
  declares: { names: addresses, where: /\.extend\(/ },
  declared,
  thisIn,
  handsOn,
  ambient: ambientMarks,
};
