/** autocannon: https://github.com/mcollina/autocannon#api. Its requests may have paths of their own, and headers that win over those of all. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { choiceOf, optionsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { made, option } from '../../shapes.ts';

const name = 'autocannon';

function call(call: RuleCall): Value | undefined {
  const path = call.path.filter((each) => each !== 'default');
  const [options] = call.args;
  if (path.length > 0 || call.on !== undefined || options === undefined) return undefined;
  const requests = option(call, options, 'requests');
  if (requests === undefined) return asked(call, options, undefined);
  const lists = optionsOf(requests);
  const items = lists.flatMap((each) => (each.type === 'list' ? each.items : []));
  const isKnown = lists.every(({ type }) => type === 'list') && items.length > 0;
  return isKnown ? choiceOf(items.map((item) => asked(call, options, item))) : asked(call, options, unknown(call.node, call.module));
}

function asked(call: RuleCall, options: Value, item: Value | undefined): Value {
  const base = option(call, options, 'url');
  const path = option(call, item, 'path');
  // A function may set whatever it likes.
  const isSet = option(call, item, 'setupRequest') !== undefined || option(call, options, 'setupClient') !== undefined;
  return made(name, 'request', call, {
    ...(path === undefined ? { url: base } : { base, url: path, join: 'resolve' }),
    method: option(call, item, 'method') ?? option(call, options, 'method') ?? 'GET',
    headers: [option(call, options, 'headers'), option(call, item, 'headers')],
    moved: isSet ? unknown(call.node, call.module, 'assigned') : undefined,
  });
}

export const autocannonRule: ClientRule = { name, modules: [name], call };
