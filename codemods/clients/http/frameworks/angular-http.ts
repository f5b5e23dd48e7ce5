/** Angular's Http, before its HttpClient: https://v5.angular.io/api/http/Http. Injected by type, with headers that are those of `fetch`. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { knownFunction } from '../../../evaluate/language/known-functions.ts';
import type { World } from '../../../evaluate/program.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { memoOf } from '../../../once.ts';
import { first } from '../../pass-through.ts';
import { made, option, verbs, withBody } from '../../shapes.ts';

const name = 'angular-http';
const module = '@angular/http';

/** What is handed out in its place, or what all of its requests begin with: whether that adds a login, or asks elsewhere, is not followed. */
const replacing = /\bextends\s+(?:Http|BaseRequestOptions|RequestOptions|\w*Backend)\b/;

const isReplaced = memoOf(({ modules }: World) => [...modules.values()].some(({ text }) => text.includes(module) && replacing.test(text)));

function call(call: RuleCall): Value | undefined {
  const { path, args, on, ev, node } = call;
  const [verb = '', ...more] = path;
  if (more.length > 0) return undefined;
  if (on === undefined)
    return verb === 'Headers' ? knownFunction(ev, { type: 'external', source: '', path: [verb] })?.(ev, args, node, call) : undefined;
  if ((verb !== 'request' && !verbs.has(verb)) || isReplaced(ev.world)) return undefined;
  const options = args[withBody.has(verb) ? 2 : 1];
  // A `Request` that is made before says where it goes, and is not followed.
  if (verb === 'request' && args[0]?.type !== 'text') return undefined;
  const method = verb === 'request' ? (option(call, options, 'method') ?? 'GET') : verb;
  return made(name, 'request', call, { url: args[0], method, headers: [option(call, options, 'headers')] });
}

export const angularHttpRule: ClientRule = {
  name,
  title: 'Angular (Http)',
  modules: [module],
  importedTypes: ['Http'],
  functions: { [`${module}:RequestOptions`]: first },
  call,
  ambient: { mark: replacing, reached: /@angular\/http\b/, isSilent: true },
};
