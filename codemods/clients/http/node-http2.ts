/** Node's `http2`, as a client: https://nodejs.org/api/http2.html#clienthttp2sessionrequestheaders-options. Path and method stand among the headers. */
import { unknown, type Value } from '../../evaluate/values/values.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { made, option, textOf } from '../shapes.ts';
import { fluent } from './node-http.ts';

const name = 'node:http2';

function call(call: RuleCall): Value | undefined {
  const [verb = '', ...more] = call.path.filter((each) => each !== 'default');
  const [first] = call.args;
  if (more.length > 0) return undefined;
  // Of an address only the origin counts.
  if (call.on === undefined) return verb === 'connect' ? made(name, 'client', call, { base: first, join: 'resolve' }) : undefined;
  if (fluent.has(verb)) return call.on;
  if (call.on.stage !== 'client' || verb !== 'request') return undefined;
  const isElsewhere = option(call, first, ':authority', ':scheme', 'host') !== undefined;
  return made(name, 'request', call, {
    url: option(call, first, ':path') ?? textOf('/'),
    moved: isElsewhere ? unknown(call.node, call.module, 'assigned') : undefined,
    method: option(call, first, ':method') ?? 'GET',
    headers: [first],
  });
}

export const nodeHttp2Rule: ClientRule = { name, title: 'node:http2', modules: ['http2'], call };
