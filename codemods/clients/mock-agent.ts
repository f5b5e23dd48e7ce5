/** undici's MockAgent: https://undici.nodejs.org/#/docs/api/MockAgent. `agent.get(origin).intercept({ path, method, headers })`. */
import type { HttpValue, Value } from '../evaluate/values.ts';
import type { RuleCall } from '../evaluate/client-rule.ts';
import { made, option } from './shapes.ts';

/** After these an interceptor goes on to be one. */
const scopes = new Set(['reply', 'replyWithError', 'defaultReplyHeaders', 'defaultReplyTrailers', 'replyContentLength']);

/** @returns undefined for what is no mock */
export function mockAgent(client: string, call: RuleCall): Value | undefined {
  const { path, args, node, on } = call;
  const verb = path.join('.');
  const expected = (stage: HttpValue['stage'], described: Parameters<typeof made>[3]): HttpValue => ({
    ...made(client, stage, call, described),
    mock: {},
  });
  if (on === undefined) return node.isNew && /^Mock(?:Agent|Client|Pool)$/.test(verb) ? mockOf(verb, args[0], expected) : undefined;
  if (on.mock === undefined) return undefined;
  if (verb === 'get') return expected('client', { base: args[0], join: 'append' });
  if (on.stage === 'request') return scopes.has(verb) ? undefined : on;
  if (verb !== 'intercept') return undefined;
  const [options] = args;
  const method = option(call, options, 'method') ?? 'GET';
  return expected('request', { url: option(call, options, 'path'), method, headers: [option(call, options, 'headers')] });
}

const mockOf = (kind: string, origin: Value | undefined, expected: (stage: 'client', described: Parameters<typeof made>[3]) => HttpValue) =>
  expected('client', kind === 'MockAgent' ? {} : { base: origin, join: 'append' });
