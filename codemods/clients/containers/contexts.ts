/** What frameworks hand to each of their handlers in one object: the context of tRPC, of GraphQL's servers and of routers, the extra argument of thunks. */
import { returnsOf } from '../../evaluate/calls/returns.ts';
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { choiceOf } from '../../evaluate/values/values.ts';
import type { CallNode, Expression, FunctionNode, Node, ObjectNode, ParamNode, PropertyNode } from '../../syntax/tree.ts';
import { isCallOf, lastName, named, ownerOf } from '../names.ts';

/** https://trpc.io/docs/server/context, https://www.apollographql.com/docs/apollo-server/data/context, https://the-guild.dev/graphql/yoga-server/docs/features/context, https://mercurius.dev/#/docs/context, https://tanstack.com/router/latest/docs/framework/react/guide/router-context */
const where =
  /['"](?:@trpc\/server|@apollo\/server|apollo-server|@as-integrations\/|graphql-yoga|graphql-http|express-graphql|mercurius|@nestjs\/graphql|@tanstack\/react-router|@(?:remix-run|react-router)\/)/;
const space = 'context';

/** What makes a context, or is one, by its name: `createContext`, `getLoadContext`, `contextValue`. */
const context = /^(?:(?:create|make|build|get)\w*Context\w*|context(?:Value|Factory)?)$/;

/** `context: async () => ({ messaging })`, `export const createContext = () => ({ messaging })`, `next({ ctx: { messaging } })` */
function puts(node: PutNode): readonly Put[] {
  return node.kind === 'object' && isContext(outermost(node)) ? entriesOf(node, space, givenBackWith(node)) : [];
}

/** @param wholes what handlers get: what is spread behind a property counts before it, and another way through the function has another one */
const entriesOf = ({ properties }: ObjectNode, of: string, wholes: readonly Expression[]): Put[] =>
  properties.flatMap((each) => {
    if (each.kind !== 'property' || each.name === undefined) return [];
    const { name: key, value: node } = each;
    return [{ space: of, key, node, value: (ev, at) => choiceOf(wholes.map((whole) => ev.member(ev.evaluate(whole, at), key, node, at))) }];
  });

/** Everything that the function gives back which gives back an object. */
function givenBackWith(object: ObjectNode): readonly Expression[] {
  const { parent } = object;
  const fn = parent?.kind === 'return' ? functionAround(parent) : parent;
  return fn?.kind === 'function' ? returnsOf(fn) : [object];
}

/** What an object is, or the outermost function that gives it back. */
function outermost(object: ObjectNode): Node {
  let at: Node = object;
  for (;;) {
    const parent: Node | undefined = at.parent;
    if (parent?.kind === 'function' && parent.body === at) at = parent;
    else if (parent?.kind === 'return') at = functionAround(parent) ?? parent;
    else return at;
  }
}

function functionAround(node: Node): FunctionNode | undefined {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at;
}

function isContext(node: Node): boolean {
  const { parent } = node;
  if (node.kind === 'function' && node.name !== undefined && context.test(node.name.name)) return true;
  if (parent?.kind === 'variable') return context.test(lastName(parent.target));
  if (parent?.kind !== 'property' || parent.value !== node) return false;
  return isGiven(parent) && (context.test(parent.name ?? '') || (parent.name === 'ctx' && isNext(parent)));
}

/** Whether a property is one of what a call is given. */
const isGiven = ({ parent: object }: PropertyNode): boolean => object?.kind === 'object' && object.parent?.kind === 'call';

const isNext = ({ parent: object }: PropertyNode): boolean => object?.parent?.kind === 'call' && lastName(object.parent.callee) === 'next';

/** `ctx.messaging`, `({ ctx: { messaging } }) => …`, and of resolvers `(parent, args, { messaging }) => …`. */
function asks(node: AskNode, name: string | undefined, module: SourceModule): Ask | undefined {
  if (name === undefined || paramBehind(node, module) === undefined) return undefined;
  const owner = ownerOf(node);
  return /^(?:ctx|context|contextValue)$/.test(owner) || (owner === '(parameter)' && isOfResolver(node)) ? { space, key: name } : undefined;
}

/** The parameter that something is taken out of, under whatever names on the way: what a call gives is no handler's, be it called a context. */
function paramBehind(node: Node, { scopes }: SourceModule): ParamNode | undefined {
  let at: Node | undefined = node;
  for (const seen = new Set<Node>(); at !== undefined && !seen.has(at);) {
    seen.add(at);
    if (at.kind === 'param') return at;
    if (at.kind === 'member') at = at.object;
    else if (at.kind === 'name') at = scopes.bindingOf(at)?.owner;
    else if (at.kind === 'variable') at = at.init;
    else at = takingApart.has(at.kind) ? at.parent : undefined;
  }
  return undefined;
}

const takingApart: ReadonlySet<Node['kind']> = new Set(['patternName', 'patternProperty', 'objectPattern']);

/** Whether a pattern takes apart the third parameter of a function: https://graphql.org/learn/execution/#root-fields-resolvers. */
const isOfResolver = (node: AskNode): boolean => thirdOf(paramAround(node)) !== undefined;

function paramAround(node: Node): Node | undefined {
  let at: Node | undefined = node;
  while (at !== undefined && at.kind !== 'param' && at.kind !== 'function') at = at.parent;
  return at;
}

/** The names of the parameters before a third one. */
function thirdOf(node: Node | undefined): readonly string[] | undefined {
  const fn = node?.kind === 'param' ? node.parent : undefined;
  if (fn?.kind !== 'function' || fn.params[2] !== node) return undefined;
  return fn.params.slice(0, 2).map(({ target }) => lastName(target));
}

export const contextLibrary: ClientRule = { name: 'contexts', carries: [{ where, puts, asks }] };

/** https://redux.js.org/usage/writing-logic-thunks#injecting-config-values-into-thunks */
const thunks = /['"](?:@reduxjs\/toolkit|redux-thunk)/;
const [extra, extras] = ['thunk', 'thunk extra'];

/** `thunk: { extraArgument: api }`, `thunk.withExtraArgument({ api })` */
function extraPuts(node: PutNode): readonly Put[] {
  const given =
    node.kind === 'object'
      ? argumentIn(node)
      : node.kind === 'call' && isCallOf(node, { method: /^withExtraArgument$/ })
        ? firstOf(node)
        : undefined;
  if (given === undefined) return [];
  return [{ space: extra, key: extra, node: given }, ...(given.kind === 'object' ? entriesOf(given, extras, [given]) : [])];
}

const argumentIn = ({ properties }: ObjectNode): Expression | undefined =>
  properties.flatMap((each) => (each.kind === 'property' && each.name === 'extraArgument' ? [each.value] : []))[0];

const firstOf = ({ args: [first] }: CallNode): Expression | undefined => (first?.kind === 'spread' ? undefined : first);

/** `thunkApi.extra`, `(_, { extra: { api } }) => …`, and the third parameter of a thunk: `(dispatch, getState, api) => …`. */
function extraAsks(node: AskNode, name: string | undefined, module: SourceModule): Ask | undefined {
  if (node.kind === 'param') return /^_?dispatch$/.test(thirdOf(node)?.[0] ?? '') ? { space: extra, key: extra } : undefined;
  if (name === undefined || !isOfThunk(node, module)) return undefined;
  if (name === 'extra') return { space: extra, key: extra };
  return ownerOf(node) === 'extra' ? { space: extras, key: name } : undefined;
}

/** Whether it is taken from the second parameter of a function, as the creator of a payload has it. */
function isOfThunk(node: AskNode, module: SourceModule): boolean {
  const param = paramBehind(node, module);
  return param?.parent?.kind === 'function' && param.parent.params[1] === param;
}

export const thunkLibrary: ClientRule = { name: 'redux-thunk', carries: [{ where: thunks, puts: extraPuts, asks: extraAsks }] };

/** https://telegraf.js.org, https://grammy.dev/guide/context: what a bot puts on the context of each update. */
export const botLibrary: ClientRule = {
  name: 'bots',
  carries: [named({ where: /['"](?:telegraf|grammy)['"]/, space: 'bot', writes: /^(?:ctx|context)$/, reads: /^ctx$/ })],
};
