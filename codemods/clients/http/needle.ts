/** needle: https://github.com/tomas/needle#readme. */
import { choiceOf, optionsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import { isNullish } from '../../evaluate/language/or-default.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { authorizedBy, made, option, verbs } from '../shapes.ts';

const name = 'needle';
const withoutBody = new Set(['get', 'head']);

function call(call: RuleCall): Value | undefined {
  const [verb, ...more] = call.path.filter((each) => each !== 'default');
  if (more.length > 0 || call.on !== undefined) return undefined;
  if (verb === undefined) return called(call);
  if (verb === 'request') return asked(call, call.args[1], call.args[0], call.args[3]);
  return verbs.has(verb) ? asked(call, call.args[0], verb, call.args[withoutBody.has(verb) ? 1 : 2]) : undefined;
}

/** `needle(method, url, data, options)`: GET and HEAD may leave out data, and the method may be left out too. */
function called(call: RuleCall): Value | undefined {
  const { args } = call;
  const method = args[0] === undefined ? undefined : plainText(args[0]);
  if (method === undefined || /[./]/.test(method)) return asked(call, args[0], args.length > 2 ? 'post' : 'get', args[2] ?? args[1]);
  const isShort = withoutBody.has(method.toLowerCase()) && args.length === 3;
  return asked(call, args[1], method, args[isShort ? 2 : 3]);
}

function asked(call: RuleCall, url: Value | undefined, method: Value | string | undefined, options: Value | undefined): Value {
  const config = options?.type === 'function' ? undefined : options;
  return made(name, 'request', call, {
    url: url && modified(call, url, option(call, config, 'uri_modifier')),
    method,
    headers: [option(call, config, 'headers'), authorizedBy(call, config, 'username')],
  });
}

/** What a function of the program makes of an address, which may be another host's then. */
const modified = (call: RuleCall, url: Value, by: Value | undefined): Value =>
  by === undefined
    ? url
    : choiceOf(
        optionsOf(by).map((each) => {
          if (isNullish(each)) return url;
          return each.type === 'function' ? call.ev.apply(each, [url], call.node, call) : unknown(call.node, call.module);
        }),
      );

export const needleRule: ClientRule = { name, modules: [name], call };
