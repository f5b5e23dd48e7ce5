/**
 * LoopBack's connector for REST: https://loopback.io/doc/en/lb4/REST-connector.html. A data source is told what to ask by templates, and makes a function of each:
 * `{ connector: 'rest', options: { headers }, operations: [{ template: { method, url: 'https://…/messages/{id}' }, functions: { getMessage: ['id'] } }] }`.
 */
import { forAllCallers } from '../../../evaluate/calls/all-callers.ts';
import { classAround } from '../../../evaluate/calls/callees.ts';
import type { ClientRule, Receiver } from '../../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { choiceOf, type HttpValue, optionsOf, plainText, type Value } from '../../../evaluate/values/values.ts';
import type { Node, ObjectNode, PropertyNode } from '../../../syntax/tree.ts';
import { withPlaceholders } from '../../values/braces.ts';

const name = 'loopback-connector-rest';

/** `{id}`, `{page:number=1}`, `{!id}`, `{^token}` */
const placeholder = /\{[!^]?\w[^{}]*\}/g;

function declared(property: PropertyNode, at: At, ev: Evaluation): Value | undefined {
  const config = configAround(property);
  if (config === undefined) return undefined;
  const whole = ev.evaluate(config, at);
  const get = (from: Value | undefined, key: string): Value | undefined => {
    const found = from?.type === 'object' ? ev.member(from, key, from.node, at) : undefined;
    return found?.type === 'literal' ? undefined : found;
  };
  if (!isRead(whole)) return undefined;
  const found = optionsOf(ev.evaluate(property.value, at)).flatMap((template): HttpValue[] => {
    const url = get(template, 'url');
    if (url === undefined) return [];
    const headers = [get(get(whole, 'options'), 'headers'), get(get(template, 'options'), 'headers'), get(template, 'headers')];
    return [
      {
        type: 'http',
        client: name,
        stage: 'request',
        node: property,
        module: at.module,
        origins: [],
        url: choiceOf(optionsOf(url).map((each) => withPlaceholders(each, placeholder))),
        method: get(template, 'method') ?? 'GET',
        headers: headers.filter((each) => each !== undefined),
      },
    ];
  });
  return found.length === 0 ? undefined : choiceOf(found);
}

/** Whether all that a data source is told is looked at here: what asks by its `baseURL` has its headers, too. */
const isRead = (config: Value): boolean =>
  config.type === 'object' &&
  config.unknown.length === 0 &&
  config.entries.some((entry) => entry.name === 'connector' && ['rest', name].includes(plainText(entry.value()) ?? '')) &&
  config.entries.every((entry) => settings.has(entry.name ?? '') || entry.value().type === 'literal');

const settings = new Set(['name', 'connector', 'options', 'operations']);

/** The data source that a template of one of its operations stands in. */
function configAround({ parent: operation }: PropertyNode): ObjectNode | undefined {
  const list = operation?.parent?.kind === 'array' ? operation.parent : undefined;
  // What is spread into them has the headers of all, and stands elsewhere.
  if (list?.elements.every((each) => each?.kind === 'object') !== true) return undefined;
  const operations = list.parent;
  const config = operations?.kind === 'property' && operations.name === 'operations' ? operations.parent : undefined;
  return config?.kind === 'object' ? config : undefined;
}

/** `super(config)` of a data source, `new juggler.DataSource(config)`: the connector reads what it is told, which is all looked at here. */
function handsOn(ev: Evaluation, arg: Node, module: SourceModule): readonly Receiver[] | undefined {
  const call = arg.parent;
  if (call?.kind !== 'call' || call.args[0] !== arg || arg.kind === 'spread') return undefined;
  const at: At = { module, frame: undefined };
  const made = call.callee.kind === 'super' ? classAround(call)?.superclass : call.isNew ? call.callee : undefined;
  const of = made && ev.evaluate(made, at);
  if (of?.type !== 'external' || !packages.has(of.source) || of.path.at(-1) !== 'DataSource') return undefined;
  const configs = optionsOf(forAllCallers(ev, undefined, (frame) => ev.evaluate(arg, { module, frame }))).filter(
    ({ type }) => type === 'object',
  );
  return configs.length > 0 && configs.every((config) => isRead(config) && isOfOne(config)) ? [] : undefined;
}

/** Whether headers are told where the operations are: `{ ...config, options: { headers } }` sends others, with the paths of these. */
function isOfOne(config: Value): boolean {
  const told = config.type === 'object' ? config.entries.filter(({ name: key }) => key === 'options' || key === 'operations') : [];
  return new Set(told.map(({ node }) => objectAround(node))).size <= 1;
}

const objectAround = ({ parent }: Node): Node | undefined =>
  parent === undefined || parent.kind === 'object' ? parent : objectAround(parent);

const packages = new Set(['@loopback/repository', 'loopback-datasource-juggler']);

export const loopbackRestRule: ClientRule = {
  name,
  title: 'LoopBack (REST connector)',
  modules: [name],
  declares: { names: ['template'], where: /\bconnector['"]?\s*:\s*['"](?:rest|loopback-connector-rest)['"]/ },
  declared,
  handsOn,
};
