/** fetch-mock: https://www.wheresrhys.co.uk/fetch-mock/docs/API/route/matcher. Routes stand for requests, queries ask for them. */
import { flat, mapText, sliceParts } from '../../evaluate/values/text.ts';
import { type HttpValue, partsOf, type Value } from '../../evaluate/values/values.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { made, option, verbs } from '../shapes.ts';

const name = 'fetch-mock';
const routes = new Set(['mock', 'route', 'once', 'any', 'sticky']);
const queries = new Set(['called', 'done', 'lastCall', 'lastUrl', 'lastOptions', 'calls', 'lastResponse']);
const instances = new Set(['createInstance', 'sandbox', 'mockGlobal', 'unmockGlobal', 'spyGlobal']);
/** `begin:https://…`, `path:/v1/…`: how the rest is compared. */
const kind = /^(?:begin|end|path|glob|express|include):/;

function call(call: RuleCall): Value | undefined {
  const path = call.path.filter((each) => each !== 'default' && each !== 'callHistory');
  const [verb = '', ...more] = path;
  if (more.length > 0) return undefined;
  if (instances.has(verb)) return { ...made(name, 'client', { ...call, on: undefined }, {}), mock: {} };
  const [method = ''] = /^[a-z]+?(?=(?:Any)?(?:Once)?$)/.exec(verb) ?? [];
  if (!verbs.has(method) && !routes.has(verb) && !queries.has(verb)) return undefined;
  const [matcher] = call.args;
  if (queries.has(verb) && call.args.length === 0) return { type: 'method', receiver: recorded(call), path: ['calls', verb] };
  const options = call.args[queries.has(verb) ? 1 : 2];
  const [url, isObject] = matcher?.type === 'object' ? [option(call, matcher, 'url'), true] : [matcher, false];
  if (url?.type !== 'text' && url?.type !== 'choice') return undefined;
  const headers = [option(call, options, 'headers'), isObject ? option(call, matcher, 'headers') : undefined];
  return { ...expected(call, url, headers), ...(verbs.has(method) ? { method } : {}) };
}

/** What was asked last, whatever it was. The history of version 12 has all names of headers in small letters. */
const recorded = (call: RuleCall): HttpValue => ({
  ...made(name, 'client', { ...call, on: undefined }, {}),
  mock: {},
  ...(call.path.includes('callHistory') && { notes: { small: { type: 'literal', value: true } } }),
});

function expected(call: RuleCall, url: Value, headers: (Value | undefined)[]): HttpValue {
  const request = (described: Value): HttpValue => ({
    ...made(name, 'request', { ...call, on: undefined }, { url: described, headers }),
    mock: {},
  });
  if (!partsOf(url).some((part) => 'text' in part && kind.test(part.text))) return request(url);
  const rest = mapText(url, (parts) => {
    const text = flat(parts);
    return sliceParts(parts, kind.exec(text)?.[0].length ?? 0, text.length);
  });
  return { ...request(rest), mock: { expects: 'part' } };
}

export const fetchMockRule: ClientRule = { name, isForTests: true, modules: [name], call };
