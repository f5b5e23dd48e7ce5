/**
 * Pipedream: https://pipedream.com/docs/components/contributing/api. Its axios has the step before the configuration, and gives the body. A component has
 * its methods itself, and those of an app under the name of the property that it has it as.
 */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { World } from '../../../evaluate/program.ts';
import type { Put, PutNode } from '../../../evaluate/libraries/provided.ts';
import { choiceOf, type ObjectValue, optionsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { memoOf } from '../../../once.ts';
import type { FunctionNode, Node, ObjectNode } from '../../../syntax/tree.ts';
import { isCallOf, named } from '../../names.ts';
import { authorized, made } from '../../shapes.ts';
import { config } from '../axios.ts';

const name = 'pipedream';
const modules = ['@pipedream/platform', '@pipedreamhq/platform'];
const where = /['"]@pipedream(?:hq)?\/platform['"]/;

/** `axios($, { url, headers })`; what is given after that signs the request, in `Authorization`. */
function call(call: RuleCall): Value | undefined {
  const [, asked, signed] = call.args;
  if (call.path.join('.') !== 'axios' || asked === undefined) return undefined;
  const described = config(call, asked);
  return made(name, 'request', call, {
    ...described,
    method: described.method ?? 'GET',
    headers: [...described.headers, signed && authorized(call)],
    join: 'slash',
  });
}

/** `props: { crm }`: in functions of the component `this.crm` has the methods of the app. */
function puts(node: PutNode): readonly Put[] {
  if (node.kind !== 'object' || node.parent?.kind !== 'property' || node.parent.name !== 'props') return [];
  return node.properties.flatMap((each): Put[] => {
    if (each.kind !== 'property' || each.name === undefined) return [];
    const value = (ev: Evaluation, at: At): Value =>
      choiceOf(optionsOf(ev.evaluate(each.value, at)).map((app) => withMethods(ev, app, each.value, at)));
    return [{ space: name, key: each.name, node: each.value, value }];
  });
}

/** What `this` is in a function of a component: its methods, and what Pipedream gives it. */
function thisIn(ev: Evaluation, fn: FunctionNode, at: At): Value | undefined {
  const component = componentAround(fn);
  return component && isUsedIn(ev.world) ? withMethods(ev, ev.evaluate(component, at), component, at) : undefined;
}

function withMethods(ev: Evaluation, of: Value, node: Node, at: At): ObjectValue | Value {
  const open = unknown(node, at.module);
  if (of.type !== 'object') return open;
  const entries = optionsOf(ev.member(of, 'methods', node, at)).flatMap((each) => (each.type === 'object' ? each.entries : []));
  return { ...of, entries, unknown: [open] };
}

/** The object that a file exports as a whole, where the function is a method in it. */
function componentAround(fn: FunctionNode): ObjectNode | undefined {
  let component: ObjectNode | undefined;
  let at: Node | undefined = fn;
  for (; at?.parent?.kind === 'property' || at?.parent?.kind === 'object'; at = at.parent)
    if (at.parent.kind === 'object') component = at.parent;
  const isDefined = at?.parent?.kind === 'call' && isCallOf(at.parent, { method: /^define(?:App|Component)$/ });
  return isDefined || at?.parent?.kind === 'exportDeclaration' || at?.parent?.kind === 'assign' ? component : undefined;
}

const isUsedIn = memoOf(({ modules }: World): boolean => [...modules.values()].some(({ text }) => where.test(text)));

export const pipedreamRule: ClientRule = {
  name,
  title: "Pipedream's axios",
  modules,
  call,
  carries: [{ ...named({ where, space: name, reads: /^this$/ }), puts }],
  thisIn,
};
