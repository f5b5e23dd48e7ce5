/**
 * Packages around functions of whatever client: they hold calls back, wait between tries, or remember what came. What they are given they call, or
 * give back to be called in its place. On what those that hold back or try again are tuned to, people are advised; of these only the name matters.
 */
import type { ClientRule, LibraryFunction, RuleCall, Run } from '../../evaluate/libraries/client-rule.ts';
import type { ExternalValue, Value } from '../../evaluate/values/values.ts';
import { first, keptAs } from '../pass-through.ts';

/** Give back a function that does the same. */
const wrapping = ['p-memoize', 'memoizee', 'mem', 'memoize', 'memoize-one', 'micro-memoize', 'fast-memoize', 'p-debounce'];
/** Give back the client that they are given, which then waits, tries again or keeps cookies. */
const keepingClients = ['axios-rate-limit', 'fetch-retry', 'fetch-cookie'];
/** Call what they are given. */
const running = ['p-retry', 'async-retry', 'promise-retry', 'exponential-backoff', 'p-timeout'];
/** Make something that calls what it is given, or wraps it. */
const limiting = ['bottleneck', 'p-queue', 'p-limit'];

/** What the packages make goes by a name of its own. */
const made = 'throttled';
const external = (...path: readonly string[]): ExternalValue => ({ type: 'external', source: made, path, provenance: undefined });

/** `limit(fn, argument)`, `limiter.schedule(options, fn, argument)`, `queue.add(fn)`, `pRetry(fn)`, `backOff(fn)`. */
const runsFirst = /^(?:schedule|add|execute|backOff)$/;

function runOf({ path, args }: RuleCall): Run | undefined {
  const verb = path.findLast((name) => name !== 'default' && name !== 'limiter');
  const at = args.findIndex(({ type }, index) => type === 'function' || (index === 0 && type !== 'object'));
  const fn = args[at];
  return fn === undefined || !(verb === undefined || runsFirst.test(verb)) ? undefined : { fn, args: args.slice(at + 1) };
}

function call(asked: RuleCall): Value | undefined {
  const { path, args, node, ev } = asked;
  if (path.at(-1) === 'wrap') return args[0];
  const run = runOf(asked);
  return run?.fn.type === 'function' ? ev.apply(run.fn, run.args, node, asked) : undefined;
}

const second: LibraryFunction = (_ev, [, value]) => value;

/** What a package gives is what it is imported as, by whatever way. */
const each = <T>(packages: readonly string[], value: T): Readonly<Record<string, T>> =>
  Object.fromEntries(packages.flatMap((name) => [`${name}:`, `${name}:default`].map((key) => [key, value])));

export const throttlingLibraries: ClientRule = {
  name: 'throttling',
  modules: [made, ...running],
  call,
  runsAlone: true,
  runs: (asked) => {
    const run = runOf(asked);
    return run === undefined ? [] : [run];
  },
  functions: {
    ...each([...wrapping, ...keepingClients], first),
    'axios-cache-interceptor:setupCache': first,
    'axios-cookiejar-support:wrapper': first,
    ...each(limiting, () => external('limiter')),
    ...each(['p-throttle'], () => external('wrap')),
    ...each(['opossum'], keptAs('fire', first)),
    'next/cache:unstable_cache': first,
    'throttle-debounce:throttle': second,
    'throttle-debounce:debounce': second,
  },
  throttles: [
    'bottleneck',
    'p-throttle',
    'p-queue',
    'limiter',
    'async-sema',
    'bull',
    'bullmq',
    '@nestjs/bull',
    '@nestjs/bullmq',
    'inngest',
  ],
  retries: ['p-retry', 'async-retry', 'retry', 'cockatiel'],
};
