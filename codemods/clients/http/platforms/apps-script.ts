/** Google Apps Script: https://developers.google.com/apps-script/reference/url-fetch/url-fetch-app. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { made, option } from '../../shapes.ts';
import { choiceOf, optionsOf, type Value } from '../../../evaluate/values/values.ts';

const name = 'UrlFetchApp';

function call(call: RuleCall): Value | undefined {
  const [verb, ...more] = call.path;
  const [first, params] = call.args;
  if (more.length > 0 || first === undefined) return undefined;
  if (verb === 'fetch') return request(call, first, params);
  if (verb !== 'fetchAll') return undefined;
  const items = optionsOf(first).flatMap((each) => (each.type === 'list' ? each.items.flatMap(optionsOf) : [each]));
  return choiceOf(
    items.map((item) => (item.type === 'object' ? request(call, option(call, item, 'url'), item) : request(call, item, undefined))),
  );
}

const request = (call: RuleCall, url: Value | undefined, params: Value | undefined): Value =>
  made(name, 'request', call, { url, method: option(call, params, 'method') ?? 'GET', headers: [option(call, params, 'headers')] });

export const appsScriptRule: ClientRule = { name, title: 'Apps Script', globals: [name], call };
