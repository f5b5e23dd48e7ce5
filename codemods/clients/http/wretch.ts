/** wretch: https://github.com/elbywan/wretch#readme. Each call of a chain gives a new client; URLs are appended as they are. */
import { concatenated } from '../../evaluate/text.ts';
import { plainText, type Value } from '../../evaluate/values.ts';
import type { ClientRule, RuleCall } from '../../evaluate/client-rule.ts';
import { authorized, headersOfCall, made, option } from '../shapes.ts';

const name = 'wretch';
const withBody = new Set(['post', 'put', 'patch']);
const withoutBody = new Set(['get', 'delete', 'head', 'opts']);

function call(call: RuleCall): Value | undefined {
  const { args, on } = call;
  const [verb, ...more] = call.path.filter((each) => each !== 'default' && each !== 'wretch');
  if (more.length > 0 || on?.stage === 'request') return undefined;
  if (on === undefined) {
    return verb === undefined
      ? made(name, 'client', call, { base: args[0], join: 'append', headers: [option(call, args[1], 'headers')] })
      : undefined;
  }
  if (withBody.has(verb ?? '')) return made(name, 'request', call, { url: args[1], method: verb });
  if (withoutBody.has(verb ?? '')) return made(name, 'request', call, { url: args[0], method: verb === 'opts' ? 'OPTIONS' : verb });
  switch (verb) {
    case 'fetch':
      return made(name, 'request', call, { url: args[1], method: args[0] ?? 'GET' });
    case 'url':
      return made(name, 'client', call, { base: base(call) });
    case 'options':
      return made(name, 'client', call, { headers: [option(call, args[0], 'headers')] });
    case 'headers':
      return made(name, 'client', call, { headers: [headersOfCall(call.ev, call.node, call)] });
    case 'auth':
      return made(name, 'client', call, { headers: [authorized(call)] });
    default:
      // Bodies, add-ons, catchers and middlewares change neither address nor headers.
      return on;
  }
}

/** `url(path)` appends; `url(path, true)` replaces. */
function base({ args: [url, replace], on }: RuleCall): Value | undefined {
  if (url === undefined || on?.base === undefined || (replace !== undefined && plainText(replace) === 'true')) return url;
  return concatenated([on.base, url]);
}

export const wretchRule: ClientRule = { name, modules: [name, 'wretch/all'], types: ['Wretch'], call, asksBy: ['auth'] };
