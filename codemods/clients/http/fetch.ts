/** `fetch` of browsers, Node, Deno, Bun and Workers, and the packages that bring it: https://fetch.spec.whatwg.org/#fetch-method. */
import { after, type HttpValue, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { headersOf } from '../../evaluate/writes/writes.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { Node } from '../../syntax/tree.ts';
import { made, option, settingHeaders } from '../shapes.ts';
import { isHooks } from './frameworks/sveltekit-events.ts';

/** https://fetch.spec.whatwg.org/#body-mixin */
export const answerMethods = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'];

const names = new Set(['fetch', 'Request', 'default']);

/** A call of `fetch`, or a `Request` that is made for it: both take the same. */
export function fetchRequest(client: string, call: RuleCall): HttpValue | undefined {
  const [target, init] = call.args;
  if (target === undefined) return undefined;
  const on = target.type === 'http' ? target : undefined;
  // What a mock was given: what is read of the copy is read of that, unless it has headers of its own.
  const isCopy = init?.type === 'http' || option(call, init, 'headers') === undefined;
  if (call.node.isNew && on?.mock !== undefined && isCopy) return on;
  const given = init?.type === 'http' ? init : option(call, init, 'headers');
  const from = requestWithHeaders(given);
  const dispatched = dispatchedBy(call, init);
  // `fetch(input instanceof Request ? new Request(input) : input.toString())`: where that goes is not known, but with which headers.
  const others = on === undefined ? optionsOf(target).filter(isRequest) : [];
  const asked = made(
    client,
    call.node.isNew ? 'client' : 'request',
    { ...call, on },
    {
      url: on === undefined ? target : undefined,
      method: option(call, init, 'method') ?? on?.method ?? 'GET',
      headers: [
        ...others.flatMap((each) => each.headers),
        ...(from === undefined ? [given] : from.headers.map((each) => after(each, from.provenance))),
        ...dispatched.headers,
      ],
      moved: dispatched.moved,
    },
  );
  // What is set on that request later is among its headers, too.
  return { ...asked, origins: [...[...(from === undefined ? [] : [from]), ...others].flatMap(({ origins }) => origins), ...asked.origins] };
}

const isRequest = (value: Value): value is HttpValue => value.type === 'http';

/** What interceptors of a dispatcher, which a request is given, do to it. */
export function dispatchedBy(
  call: RuleCall,
  options: Value | undefined,
): { readonly headers: readonly Value[]; readonly moved: Value | undefined } {
  const dispatcher = option(call, options, 'dispatcher');
  return dispatcher?.type === 'http'
    ? { headers: dispatcher.headers, moved: dispatcher.notes?.['moved'] }
    : { headers: [], moved: undefined };
}

/** The other request whose headers it is given: `fetch(url, request)`, `{ headers: request.headers }`. */
function requestWithHeaders(given: Value | undefined): HttpValue | undefined {
  const of = given?.type === 'method' && given.path.join('.') === 'headers' ? given.receiver : given;
  return of?.type === 'http' ? of : undefined;
}

/** `new Headers(init)` of a package. */
export function packagedHeaders({ args: [init], node, module }: RuleCall): Value | undefined {
  return init === undefined ? { type: 'object', node, module, entries: [], unknown: [] } : headersOf(init);
}

function call(call: RuleCall): Value | undefined {
  const [name, ...more] = call.path;
  if (more.length > 0) return undefined;
  // A request gives copies of itself.
  if (call.on !== undefined) return name === 'clone' ? call.on : undefined;
  if (name === 'Headers') return packagedHeaders(call);
  return name === undefined || names.has(name) ? fetchRequest('fetch', call) : undefined;
}

const setting = settingHeaders(new Set(['headers.set', 'headers.append']));

/** What a test gives to a hook that SvelteKit calls for all requests: where these go, the test does not say. */
function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  const added = setting(mutation, request, ev);
  return added && isHooks(mutation.module) && isOfGiven(mutation)
    ? { ...added, moved: unknown(mutation.node, mutation.module, 'assigned') }
    : added;
}

/** `request.headers.set(…)` of a parameter */
function isOfGiven({ kind, node, module }: Mutation): boolean {
  let at: Node | undefined = kind === 'call' ? node.callee : undefined;
  while (at?.kind === 'member') at = at.object;
  return at?.kind === 'name' && module.scopes.bindingOf(at)?.owner.kind === 'param';
}

export const fetchRule: ClientRule = {
  name: 'fetch',
  title: 'fetch and the packages that bring it',
  globals: ['fetch', 'Request'],
  modules: [
    'node-fetch',
    'node-fetch-native',
    'cross-fetch',
    'cross-fetch/ponyfill',
    'isomorphic-fetch',
    'isomorphic-unfetch',
    'unfetch',
    'whatwg-fetch',
    'make-fetch-happen',
    'minipass-fetch',
    '@tauri-apps/plugin-http',
    'meteor/fetch',
    // Of Ember: https://github.com/ember-cli/ember-fetch.
    'fetch',
  ],
  call,
  answers: { to: ['', 'fetch', 'default'], by: answerMethods },
  additions,
  addsBy: ['headers'],
};
