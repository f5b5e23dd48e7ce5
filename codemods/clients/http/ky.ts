/** ky: https://github.com/sindresorhus/ky#readme. `prefixUrl` is what `prefix` was called before version 2. */
import { returnsOf } from '../../evaluate/calls/returns.ts';
import type { Value } from '../../evaluate/values/values.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { hookHeaders, made, movedBy, option, verbs } from '../shapes.ts';

const name = 'ky';

const described = (call: RuleCall, options: Value | undefined) => {
  const prefix = option(call, options, 'prefix', 'prefixUrl');
  const base = option(call, options, 'baseUrl');
  const hooks = option(call, options, 'hooks');
  return {
    base: prefix ?? base,
    join: prefix === undefined ? (base === undefined ? undefined : ('resolve' as const)) : ('slash' as const),
    method: option(call, options, 'method'),
    moved: movedBy(call, option(call, hooks, 'beforeRequest'), []) ?? movedBy(call, option(call, hooks, 'beforeRetry'), []),
    headers: [
      option(call, options, 'headers'),
      // The request itself in version 1, and a state with it since version 2; options beside both.
      ...hookHeaders(call, option(call, hooks, 'init'), [[0, ['headers']]]),
      ...hookHeaders(call, option(call, hooks, 'beforeRequest'), [
        [0, ['headers']],
        [0, ['request', 'headers']],
        [0, ['options', 'headers']],
        [1, ['headers']],
      ]),
    ],
  };
};

/** Options, or a function that makes them from those of the parent. */
function given(call: RuleCall): Value | undefined {
  const [options] = call.args;
  if (options?.type !== 'function') return options;
  const [returned] = returnsOf(options.node);
  return returned === undefined ? undefined : call.ev.evaluate(returned, options);
}

function call(call: RuleCall): Value | undefined {
  const [verb, ...more] = call.path.filter((each) => each !== 'default');
  if (more.length > 0 || call.on?.stage === 'request') return undefined;
  if (verb === 'create') return made(name, 'client', { ...call, on: undefined }, described(call, given(call)));
  if (verb === 'extend') return made(name, 'client', call, described(call, given(call)));
  if (verb !== undefined && !verbs.has(verb)) return undefined;
  const [target, options] = call.args;
  const config = described(call, options);
  return made(name, 'request', call, { ...config, url: target, method: verb ?? config.method ?? 'GET' });
}

export const kyRule: ClientRule = {
  name,
  modules: [name, 'ky-universal'],
  types: ['KyInstance'],
  call,
  bases: ['prefix', 'prefixUrl'],
  retries: [name],
};
