/** VueUse's `useFetch` and `createFetch`: https://vueuse.org/core/usefetch. A chain says the method, and a hook adds headers. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { currentOf, hookHeaders, made, movedBy, option, verbs } from '../../shapes.ts';

const name = 'vueuse';

function call(call: RuleCall): Value | undefined {
  const { args, on } = call;
  const [verb, ...more] = call.path;
  if (more.length > 0) return undefined;
  // `.post(payload)`; what reads the answer goes on with the same.
  if (on?.stage === 'request') return verbs.has(verb ?? '') ? made(name, 'request', call, { method: verb }) : on;
  if (verb === 'createFetch') {
    const [options, request] = ['options', 'fetchOptions'].map((each) => option(call, args[0], each));
    return made(name, 'client', call, {
      base: currentOf(call, option(call, args[0], 'baseUrl')),
      join: 'slash',
      ...given(call, [options, request]),
    });
  }
  if (verb !== (on === undefined ? 'useFetch' : undefined)) return undefined;
  const described = given(call, args.slice(1));
  return made(name, 'request', call, { method: 'GET', ...described, url: currentOf(call, args[0]) });
}

/** Options of the request and of the function stand in either order. */
const given = (call: RuleCall, all: readonly (Value | undefined)[]) => {
  const hooks = all.map((options) => option(call, options, 'beforeFetch'));
  const [method] = all.flatMap((options) => option(call, options, 'method') ?? []);
  return {
    headers: [
      ...all.map((options) => option(call, options, 'headers')),
      ...hooks.flatMap((each) => hookHeaders(call, each, [[0, ['options', 'headers']]])),
    ],
    moved: hooks.map((each) => movedBy(call, each, [[0, ['url']]])).find((each) => each !== undefined),
    ...(method !== undefined && { method }),
  };
};

export const vueuseRule: ClientRule = { name, title: 'VueUse', modules: ['@vueuse/core'], call, asksBy: ['useFetch'], isOfPages: true };
