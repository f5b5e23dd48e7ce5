/** Capacitor's own client, https://capacitorjs.com/docs/apis/http, and the plugin of the community before it. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { made, option, verbs } from '../../shapes.ts';

const name = 'CapacitorHttp';
const clients = new Set([name, 'Http']);

function call(call: RuleCall): Value | undefined {
  const [client = '', verb = '', ...more] = call.path.filter((each) => each !== 'Plugins');
  const [options] = call.args;
  if (!clients.has(client) || more.length > 0 || (verb !== 'request' && !verbs.has(verb))) return undefined;
  const method = verb === 'request' ? (option(call, options, 'method') ?? 'GET') : verb;
  return made(name, 'request', call, { url: option(call, options, 'url'), method, headers: [option(call, options, 'headers')] });
}

export const capacitorRule: ClientRule = {
  name,
  title: 'Capacitor',
  modules: ['@capacitor/core', '@capacitor-community/http'],
  call,
};
