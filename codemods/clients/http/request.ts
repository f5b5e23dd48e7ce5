/** request and its successors: https://github.com/request/request#readme. */
import type { Value } from '../../evaluate/values/values.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { authorized, authorizedBy, isOptions, made, option, verbs } from '../shapes.ts';

const name = 'request';

const described = (call: RuleCall, options: Value | undefined) => ({
  base: option(call, options, 'baseUrl'),
  url: option(call, options, 'url', 'uri'),
  method: option(call, options, 'method'),
  headers: [option(call, options, 'headers'), authorizedBy(call, options, 'auth')],
  join: 'slash' as const,
});

const fluent = new Set(['on', 'once', 'auth', 'form', 'json', 'qs', 'oauth', 'multipart', 'promise']);

function call(call: RuleCall): Value | undefined {
  const [verb, ...more] = call.path.filter((each) => each !== 'default');
  const { on } = call;
  if (more.length > 0) return undefined;
  if (on?.stage === 'request') return fluent.has(verb ?? '') ? on : undefined;
  const [first, second] = call.args;
  if (verb === 'defaults') return made(name, 'client', call, described(call, first));
  const method = verb === 'del' ? 'delete' : verb;
  if (method !== undefined && !verbs.has(method)) return undefined;
  const isDescribed = first !== undefined && isOptions(first);
  const config = described(call, isDescribed ? first : second?.type === 'function' ? undefined : second);
  return made(name, 'request', call, { ...config, url: isDescribed ? config.url : first, method: method ?? config.method ?? 'GET' });
}

export const requestRule: ClientRule = {
  name,
  modules: [
    name,
    'request-promise',
    'request-promise-native',
    'request-promise-any',
    'postman-request',
    '@cypress/request',
    '@cypress/request-promise',
    'requestretry',
  ],
  call,
  additions: (mutation) =>
    mutation.kind === 'call' && mutation.path.join('.') === 'auth' ? { headers: [authorized(mutation)] } : undefined,
  addsBy: ['auth'],
  asksBy: ['del'],
};
