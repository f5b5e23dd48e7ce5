/** Meteor's own client: https://docs.meteor.com/packages/http.html. It waits for the answer where it is given no callback. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { World } from '../../../evaluate/program.ts';
import { memoOf } from '../../../once.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { authorizedBy, made, option } from '../../shapes.ts';

const name = 'meteor/http';
const own = 'HTTP';
/** Until Meteor 3 it is there without an import, and other pages may have something of that name. */
const ofMeteor = /\bMeteor\s*\./;
/** `HTTP = wrapped(HTTP)`, `HTTP.post = …`: in Meteor what one file writes so, all have. */
const isReplaced = memoOf(({ modules }: World): boolean =>
  [...modules.values()].some(({ text }) => /(?<![\w$.])HTTP(?:\.\w+)?\s*=(?![=>])/.test(text)),
);
const methods: Readonly<Record<string, string>> = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', del: 'DELETE' };

/** `HTTP.post(url, { headers, data })`, `HTTP.call('POST', url, options)` */
function call(call: RuleCall): Value | undefined {
  const isImported = call.path[0] === own;
  if (!isImported && (!ofMeteor.test(call.module.text) || isReplaced(call.ev.world))) return undefined;
  const [verb, ...more] = isImported ? call.path.slice(1) : call.path;
  if (more.length > 0) return undefined;
  // Its `call` is taken for that of all functions, and comes here as one of itself without the first argument: that is the method.
  const method = verb === undefined ? call.ev.args(call.node, call)[0] : methods[verb];
  const [url, options] = call.args;
  if (method === undefined || url === undefined) return undefined;
  // A callback may stand in the place of the options.
  const described = options?.type === 'function' ? undefined : options;
  return made(name, 'request', call, {
    url,
    method,
    headers: [option(call, described, 'headers'), authorizedBy(call, described, 'auth')],
  });
}

export const meteorHttpRule: ClientRule = { name, title: "Meteor's HTTP", modules: [name], globals: [own], call };
