/** Activepieces: https://www.activepieces.com/docs/build-pieces/piece-reference/overview. Pieces ask by the client of its package, and describe the step by which people ask what no piece has. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { choiceOf, optionsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { authorizedBy, made, option, textOf } from '../../shapes.ts';

const name = 'activepieces';

function call(call: RuleCall): Value | undefined {
  const [asked, axios] = call.args;
  switch (call.path.join('.')) {
    case 'httpClient.sendRequest':
      return made(name, 'request', call, {
        url: option(call, asked, 'url'),
        method: methodOf(option(call, asked, 'method')),
        headers: [authorizedBy(call, asked, 'authentication'), option(call, asked, 'headers')],
        // Another instance may send it elsewhere.
        moved: axios && unknown(call.node, call.module, 'assigned'),
      });
    case 'createCustomApiCallAction':
      // Where to below the base, and by which method, people say who use the piece; they may give a whole address, too.
      return made(name, 'request', call, {
        base: givenBy(call, 'baseUrl'),
        url: unknown(call.node, call.module),
        method: unknown(call.node, call.module),
        headers: [givenBy(call, 'authMapping')],
        join: 'slash',
      });
    default:
      return undefined;
  }
}

/** `HttpMethod.GET` */
const methodOf = (value: Value | undefined): Value | undefined =>
  value && choiceOf(optionsOf(value).map((each) => (each.type === 'external' ? textOf(each.path.at(-1) ?? '') : each)));

/** What a function of the description makes of the credentials that people have filled in. */
function givenBy(call: RuleCall, of: string): Value | undefined {
  const fn = option(call, call.args[0], of);
  const credentials = unknown(call.node, call.module);
  const made = (each: Value): Value =>
    each.type === 'function' ? call.ev.apply(each, [credentials, credentials], call.node, call) : credentials;
  return fn && choiceOf(optionsOf(fn).map(made));
}

export const activepiecesRule: ClientRule = {
  name,
  title: 'Activepieces',
  modules: ['@activepieces/pieces-common'],
  call,
  asksBy: ['sendRequest', 'createCustomApiCallAction'],
};
