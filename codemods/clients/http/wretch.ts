/** wretch: https://github.com/elbywan/wretch#readme. Each call of a chain gives a new client; URLs are appended as they are. */
import { headersSetBy } from '../callbacks.ts';
import type { ClientRule, Given, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { concatenated } from '../../evaluate/values/text.ts';
import { type HttpValue, optionsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import { givenAt, passingOn } from '../middlewares.ts';
import { asksElsewhere } from '../readdressed.ts';
import { authorized, type Described, headersOfCall, made, option, withBody } from '../shapes.ts';

const name = 'wretch';
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
      // What a catcher asks again has its address from the request that has failed.
      if (args.length === 0 && on.base === undefined && on.url === undefined) return undefined;
      return made(name, 'request', call, { url: args[1], method: args[0] ?? 'GET' });
    case 'url':
      return made(name, 'client', call, { base: base(call) });
    case 'options':
      return made(name, 'client', call, { headers: [option(call, args[0], 'headers')] });
    case 'headers':
      return made(name, 'client', call, { headers: [headersOfCall(call.ev, call.node, call)] });
    case 'auth':
      return made(name, 'client', call, { headers: [authorized(call)] });
    case 'defer':
      return made(name, 'client', call, deferred(call, on));
    case 'middlewares':
      return made(name, 'client', call, passed(call));
    default:
      // Bodies, add-ons and catchers change neither address nor headers.
      return on;
  }
}

/** What is done to each request before it is sent: `defer((w) => w.auth(token()))`. */
function deferred({ ev, args: [fn], node, ...at }: RuleCall, on: HttpValue): Described {
  const given = [on, unknown(node, at.module), unknown(node, at.module)];
  const done = optionsOf(fn?.type === 'function' ? ev.apply(fn, given, node, at) : on).filter((each) => each.type === 'http');
  return {
    headers: done.flatMap(({ headers }) => headers.slice(on.headers.length)),
    moved: done.some((each) => each.base !== on.base) ? unknown(node, at.module, 'assigned') : undefined,
  };
}

/** What middlewares hand on: `(next) => (url, options) => next(url, { ...options, headers: { ...options.headers, … } })`. */
function passed({ ev, args: [list], node, module }: RuleCall): Described {
  const middlewares = (list?.type === 'list' ? list.items : []).flatMap((each) => passingOn(ev, each));
  return {
    headers: middlewares.map(({ ask, calls }) => headersSetBy(ev, ask, 1, ['headers'], [], calls.flatMap(givenAt(1)))),
    moved: middlewares.some(({ ask, calls }) => calls.some(({ args: [url] }) => asksElsewhere(ev, url, ask)))
      ? unknown(node, module, 'assigned')
      : undefined,
  };
}

/** `url(path)` appends; `url(path, true)` replaces. */
function base({ args: [url, replace], on }: RuleCall): Value | undefined {
  if (url === undefined || on?.base === undefined || (replace !== undefined && plainText(replace) === 'true')) return url;
  return concatenated([on.base, url]);
}

/** What catchers ask again by: `unauthorized((error, request) => request.auth(token()).fetch())`, in `resolve` by the chain that it is given. */
function given({ on, path: [verb], index, within, call: { args }, argument }: Given): Value | undefined {
  if (on?.client !== name || within.length > 0) return undefined;
  if (verb === 'resolve') return index === 0 ? on : undefined;
  const isCatcher = index === 1 && catchers.has(verb ?? '') && argument === args.length - 1;
  if (!isCatcher) return undefined;
  const { url, base, ...request } = on;
  // Of which address it was, a catcher that stands before the paths does not say.
  return { ...request, stage: 'client', ...(url !== undefined && { base: concatenated([...(base === undefined ? [] : [base]), url]) }) };
}

const catchers = new Set([
  'catcher',
  'catcherFallback',
  'badRequest',
  'unauthorized',
  'forbidden',
  'notFound',
  'timeout',
  'internalError',
  'error',
  'fetchError',
]);

export const wretchRule: ClientRule = { name, modules: [name, 'wretch/all'], types: ['Wretch'], call, given, asksBy: ['auth'] };
