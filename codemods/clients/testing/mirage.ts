/** MirageJS: https://miragejs.com/docs/main-concepts/route-handlers. Routes of its server stand for requests, below a prefix and a namespace that it is given. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { joinUrl } from '../../evaluate/values/text.ts';
import { choiceOf, type HttpValue, type Value } from '../../evaluate/values/values.ts';
import { walk } from '../../syntax/link.ts';
import type { Expression, FunctionNode } from '../../syntax/tree.ts';
import { made, option, verbs } from '../shapes.ts';

const name = 'miragejs';

function call(call: RuleCall): Value | undefined {
  const { path, args, node, on } = call;
  const [verb = '', ...more] = path;
  if (more.length > 0) return undefined;
  if (on === undefined) return verb === (node.isNew ? 'Server' : 'createServer') ? server(call) : undefined;
  const method = verb === 'del' ? 'delete' : verb;
  return verbs.has(method) && args[0] !== undefined ? { ...made(name, 'request', call, { url: args[0], method }), mock: {} } : undefined;
}

function server(call: RuleCall): HttpValue {
  const [config] = call.args;
  const routes = config?.type === 'object' ? option(call, config, 'routes') : undefined;
  const set = (property: string): Value | undefined =>
    (routes?.type === 'function' ? setIn(call.ev, routes.node, property, routes) : undefined) ?? option(call, config, property);
  const base = joinUrl(set('urlPrefix'), set('namespace'), 'slash');
  return { ...made(name, 'client', call, { base, join: 'slash' }), mock: {} };
}

/** `this.namespace = '/v1'`: whatever it is set to while routes are added. */
function setIn(ev: Evaluation, fn: FunctionNode, property: string, at: At): Value | undefined {
  const values: Expression[] = [];
  walk(fn, (node) => {
    const target = node.kind === 'assign' && node.target.kind === 'member' ? node.target : undefined;
    if (node.kind === 'assign' && target?.object.kind === 'this' && target.property === property) values.push(node.value);
  });
  return values.length === 0 ? undefined : choiceOf(values.map((value) => ev.evaluate(value, at)));
}

/** `routes() { this.get('/contacts', …) }` */
function thisIn(ev: Evaluation, { parent }: FunctionNode, at: At): Value | undefined {
  const made = parent?.kind === 'property' && parent.name === 'routes' ? parent.parent?.parent : undefined;
  const value = made?.kind === 'call' ? ev.evaluate(made, at) : undefined;
  return value?.type === 'http' && value.client === name ? value : undefined;
}

export const mirageRule: ClientRule = { name, title: 'MirageJS', isForTests: true, modules: [name], call, thisIn };
