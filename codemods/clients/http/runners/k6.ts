/** k6: https://grafana.com/docs/k6/latest/javascript-api/k6-http. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { made, option, verbs } from '../../shapes.ts';
import { choiceOf, optionsOf, type Value } from '../../../evaluate/values/values.ts';

const name = 'k6';
/** Without a body before their parameters. */
const bodiless = new Set(['get', 'head']);

function call(call: RuleCall): Value | undefined {
  const { path, args } = call;
  const [verb, ...more] = path;
  if (verb === undefined || more.length > 0) return undefined;
  if (verb === 'request' || verb === 'asyncRequest') return request(call, args[0], args[1], args[3]);
  if (verb === 'batch') return batch(call, args[0]);
  const method = verb === 'del' ? 'delete' : verb;
  return verbs.has(method) ? request(call, method, args[0], args[bodiless.has(verb) ? 1 : 2]) : undefined;
}

const request = (call: RuleCall, method: Value | string | undefined, url: Value | undefined, params: Value | undefined): Value =>
  made(name, 'request', call, { method, url, headers: [option(call, params, 'headers')] });

/** Requests in a list or by name: each a URL, `[method, url, body, params]` or an object of these. */
function batch(call: RuleCall, given: Value | undefined): Value | undefined {
  const items = (given === undefined ? [] : optionsOf(given)).flatMap((each): readonly Value[] => {
    if (each.type === 'list') return each.items;
    return each.type === 'object' ? each.entries.map((entry) => entry.value()) : [];
  });
  const requests = items.flatMap(optionsOf).map((item): Value => {
    if (item.type === 'list') return request(call, item.items[0], item.items[1], item.items[3]);
    if (item.type !== 'object') return request(call, 'GET', item, undefined);
    return request(call, option(call, item, 'method') ?? 'GET', option(call, item, 'url'), option(call, item, 'params'));
  });
  return requests.length === 0 ? undefined : choiceOf(requests);
}

export const k6Rule: ClientRule = { name, modules: ['k6/http'], call, asksBy: ['del'], tags: ['k6/http:url'], environments: ['__ENV'] };
