/** Node's `http` and `https`, and packages that stand in for them: https://nodejs.org/api/http.html#httprequesturl-options-callback. */
import { unknown, type Value } from '../../evaluate/values/values.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { authorizedBy, isOptions, made, option, settingHeaders, textOf, urlOf } from '../shapes.ts';

type Protocol = 'http' | 'https';
/** A package that has both says which: `require('follow-redirects').https`. */
const isProtocol = (name: string | undefined): name is Protocol => name === 'http' || name === 'https';

function call(name: string, protocol: Protocol, call: RuleCall): Value | undefined {
  const path = call.path.filter((each) => each !== 'default');
  const [first] = path;
  if (isProtocol(first)) return request(name, first, call, path.slice(1));
  return request(name, protocol, call, path);
}

function request(name: string, protocol: Protocol, call: RuleCall, [verb, ...more]: readonly string[]): Value | undefined {
  if (more.length > 0) return undefined;
  if (call.on !== undefined) return fluent.has(verb ?? '') ? call.on : undefined;
  if (verb !== 'request' && verb !== 'get') return undefined;
  const [first, second] = call.args;
  if (first === undefined) return undefined;
  const isDescribed = isOptions(first);
  const options = isDescribed ? first : second?.type === 'function' ? undefined : second;
  const relative = isDescribed ? undefined : option(call, options, 'path');
  // Options beside a URL win over its parts.
  const isElsewhere = !isDescribed && option(call, options, 'hostname', 'host', 'port', 'protocol', 'socketPath') !== undefined;
  return made(name, 'request', call, {
    url: isDescribed ? inParts(call, first, protocol) : (relative ?? first),
    ...(relative === undefined ? {} : { base: first, join: 'resolve' }),
    moved: isElsewhere ? unknown(call.node, call.module, 'assigned') : undefined,
    method: option(call, options, 'method') ?? 'GET',
    headers: [option(call, options, 'headers'), authorizedBy(call, options, 'auth')],
  });
}

/** The options' parts as the URL that node makes of them. */
export function inParts(call: RuleCall, options: Value, usual: Protocol): Value {
  const href = option(call, options, 'href');
  const host = option(call, options, 'hostname', 'host');
  const path = option(call, options, 'path');
  // What `url.parse` gives has the whole, and the parts only if they are written.
  if (href !== undefined && href.type !== 'unknown' && (host === undefined || host.type === 'unknown')) return href;
  const protocol = option(call, options, 'protocol') ?? textOf(`${usual}:`);
  return urlOf({ protocol, host, port: option(call, options, 'port'), path });
}

/** Methods of a request that give it back. */
export const fluent = new Set(['on', 'once', 'end', 'setTimeout', 'addListener', 'prependListener', 'setNoDelay']);
const setters = new Set(['setHeader', 'appendHeader', 'setHeaders']);

const rule = (protocol: Protocol, modules: readonly string[]): ClientRule => ({
  name: `node:${protocol}`,
  modules,
  call: (each) => call(`node:${protocol}`, protocol, each),
  additions: settingHeaders(setters),
  addsBy: [...setters],
});

export const nodeHttpRule = rule('http', ['http', 'follow-redirects', 'follow-redirects/http']);
export const nodeHttpsRule = rule('https', ['https', 'follow-redirects/https']);
