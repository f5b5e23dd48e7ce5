/** Data sources of Apollo Server: https://www.apollographql.com/docs/apollo-server/data/fetching-rest. A class asks by methods that it inherits. */
import type { ClientRule, Inherited, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { flat } from '../../../evaluate/values/text.ts';
import { type HttpValue, type MethodValue, optionsOf, partsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { headersSetBy } from '../../callbacks.ts';
import { made, option, verbs } from '../../shapes.ts';

const name = 'apollo-rest';
/** The package of Apollo Server 3, which takes parameters or a body before the options. */
const before = 'apollo-datasource-rest';

/** `this.get` and the like, with the base and the headers of the class. */
function inherited({ superclass, self, name: verb, ev, ...at }: Inherited): MethodValue | undefined {
  if (superclass.path.at(-1) !== 'RESTDataSource' || !verbs.has(verb)) return undefined;
  const own = (member: string): Value => ev.member(self, member, at.of.node, at);
  const [hook, resolver] = [own('willSendRequest'), own('resolveURL')];
  const headers = hook.type === 'function' ? headersSetBy(ev, hook, hook.node.params.length - 1, ['headers']) : undefined;
  const isOld = superclass.source === before;
  const receiver: HttpValue = {
    type: 'http',
    client: name,
    stage: 'client',
    node: at.of.node,
    module: at.of.module,
    origins: [at.of.node],
    base: resolver.type === 'function' ? unknown(resolver.node, resolver.module) : own('baseURL'),
    headers: headers === undefined ? [] : [headers],
    notes: { options: { type: 'literal', value: isOld ? 2 : 1 } },
  };
  return { type: 'method', receiver, path: [verb] };
}

function call(call: RuleCall): Value | undefined {
  const { on, args, path } = call;
  const [verb = '', ...more] = path;
  const at = on?.notes?.['options'];
  if (at?.type !== 'literal' || more.length > 0 || !verbs.has(verb)) return undefined;
  const [url] = args;
  // Today's resolves addresses, so that a path from the root leaves that of the base: another only works with a base that ends in a slash.
  const isRooted = url !== undefined && optionsOf(url).some((each) => flat(partsOf(each)).startsWith('/'));
  const join = at.value === 1 && isRooted ? 'resolve' : 'slash';
  return made(name, 'request', call, { url, join, method: verb, headers: [option(call, args[Number(at.value)], 'headers')] });
}

export const apolloRestRule: ClientRule = {
  name,
  title: "Apollo's RESTDataSource",
  modules: ['@apollo/datasource-rest', before],
  call,
  inherited,
  hookMethods:
    'cacheKeyFor requestDeduplicationPolicyFor cacheOptionsFor resolveURL didReceiveResponse didEncounterError errorFromResponse throwIfResponseIsError parseBody shouldJSONSerializeBody'.split(
      ' ',
    ),
  keyHooks: ['cacheKeyFor', 'requestDeduplicationPolicyFor'],
  plugIns: /^(?:@apollo\/server|apollo-server|@as-integrations\/|graphql-yoga|mercurius)/,
};
