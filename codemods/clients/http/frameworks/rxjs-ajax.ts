/** RxJS's ajax: https://rxjs.dev/api/ajax/ajax. An address or a configuration, and short forms that have their headers last. */
import type { Value } from '../../../evaluate/values/values.ts';
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { isOptions, made, option, verbs, withBody } from '../../shapes.ts';

const name = 'rxjs/ajax';
/** What may have streams of it, that wait. */
export const namesStreams = /['"]rxjs(?:\/\w+)?['"]/;

function call(call: RuleCall): Value | undefined {
  const [exported, verb, ...more] = call.path;
  if (exported !== 'ajax' || more.length > 0 || call.on !== undefined) return undefined;
  const [first, ...others] = call.args;
  if (verb === undefined) {
    if (first === undefined || !isOptions(first)) return made(name, 'request', call, { url: first, method: 'GET' });
    const method = option(call, first, 'method') ?? 'GET';
    return made(name, 'request', call, { url: option(call, first, 'url'), method, headers: [option(call, first, 'headers')] });
  }
  if (!verbs.has(verb) && verb !== 'getJSON') return undefined;
  const method = verb === 'getJSON' ? 'GET' : verb;
  return made(name, 'request', call, { url: first, method, headers: [others[withBody.has(verb) ? 1 : 0]] });
}

export const rxjsAjaxRule: ClientRule = { name, title: "RxJS's ajax", isOfPages: true, modules: [name], call };
