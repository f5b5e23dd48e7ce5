/**
 * Clients of @hey-api/openapi-ts: https://heyapi.dev/openapi-ts/clients/fetch. Paths are templates: `/contacts/{id}`. They are packages, or files that the generator
 * copies into the project beside what it makes of an API's description.
 */
import { headersSetBy } from '../../callbacks.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { written } from '../../../evaluate/writes/external-writes.ts';
import type { HttpValue, Value } from '../../../evaluate/values/values.ts';
import { authorizedBy, made, movedBy, option, verbs } from '../../shapes.ts';

const name = '@hey-api/client';
const packages = ['fetch', 'axios', 'next', 'ky', 'ofetch'].map((each) => `@hey-api/client-${each}`);

/** The functions of theirs that make clients, as the generator copies them. */
const copied = /^export const create(?:Client = \(config: Config = \{\}\): Client|Config = <)/m;
/** What stands in each of these files, and in none of a project's own that only looks like one. */
const generated = /@hey-api\/openapi-ts|\bmergeConfigs\b/;
const copies = new Set(['createClient', 'createConfig']);

function call(call: RuleCall): Value | undefined {
  const { path, args, on } = call;
  const [verb = '', ...more] = path;
  if (more.length > 0) return undefined;
  if (on === undefined) {
    if (verb === 'createConfig') return args[0] ?? { type: 'literal', value: undefined };
    return verb === 'createClient' ? client(call, args[0]) : undefined;
  }
  if (on.stage !== 'client' || (verb !== 'request' && !verbs.has(verb))) return undefined;
  const [options] = args;
  const method = verb === 'request' ? option(call, options, 'method') : verb;
  return made(name, 'request', call, { ...config(call, options), method, url: option(call, options, 'url') });
}

function client(call: RuleCall, options: Value | undefined): Value {
  const { headers, ...others } = config(call, options);
  return made(name, 'client', call, { ...others, headers: [...headers, authorizedBy(call, options, 'auth')], join: 'slash' });
}

const config = (call: RuleCall, options: Value | undefined) => ({
  base: option(call, options, 'baseUrl', 'baseURL'),
  headers: [option(call, options, 'headers')],
  moved: movedBy(call, option(call, options, 'fetch'), []),
});

/** Whether a request says in which header `auth` is sent: `security: [{ name: 'x-api-key', type: 'apiKey' }]`. */
function takesLogin({ node, module }: HttpValue): boolean {
  const [options] = node.kind === 'call' ? node.args : [];
  const security =
    options?.kind === 'object' ? options.properties.find((each) => each.kind === 'property' && each.name === 'security') : undefined;
  return security !== undefined && !/security:\s*\[\s*\]/.test(module.text.slice(security.start, security.end));
}

function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call') return undefined;
  const { node, module, path } = mutation;
  const [first] = ev.args(node, mutation);
  switch (path.join('.')) {
    case 'setConfig': {
      const done: RuleCall = { ...mutation, ev, args: [], on: request };
      const { base, headers, moved } = config(done, first);
      const login = takesLogin(request) ? authorizedBy(mutation, first, 'auth') : undefined;
      return { headers: [...headers, login].flatMap((each) => each ?? []), ...(base && { base: written(base) }), ...(moved && { moved }) };
    }
    case 'interceptors.request.use': {
      const moved = movedBy({ ev, node, module }, first, []);
      return { headers: [headersSetBy(ev, first, 0, ['headers']) ?? []].flat(), ...(moved && { moved }) };
    }
    default:
      return undefined;
  }
}

export const heyApiRule: ClientRule = {
  name,
  modules: packages,
  copiedInto: ({ text }, exported) => copies.has(exported) && copied.test(text) && generated.test(text),
  call,
  additions,
  addsBy: ['setConfig', 'use'],
  clients: { instance: 'axios' },
};
