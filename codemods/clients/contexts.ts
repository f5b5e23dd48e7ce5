/** What frameworks hand to each of a program's handlers: a bot's client, the context of an update, a call or a query. */
import { functionAround } from '../evaluate/callees.ts';
import type { ClientRule } from '../evaluate/client-rule.ts';
import type { Carrying, Put, PutNode } from '../evaluate/provided.ts';
import { optionsOf, unknown, type Value } from '../evaluate/values.ts';
import type { ObjectNode } from '../syntax/tree.ts';
import { lastName, named, type Names } from './names.ts';

/** https://docs.slack.dev/tools/bolt-js/concepts/context */
export const boltLibrary: ClientRule = {
  name: '@slack/bolt',
  carries: [named({ where: /['"]@slack\/bolt['"]/, space: 'bolt', writes: /^context$/, reads: /^context$/ })],
};

/** https://telegraf.js.org/#extending-context and https://grammy.dev/guide/context: `bot.context.client = …`, `ctx.client = …`. */
export const botContextLibraries: ClientRule = {
  name: 'telegraf',
  carries: [
    named({
      where: /['"](?:telegraf|grammy)(?:\/[\w-]+)*['"]/,
      space: 'telegraf',
      writes: /^(?:ctx|context)$/,
      reads: /^(?:ctx|context)$/,
    }),
  ],
};

const discord = named({ where: /['"]discord\.js['"]/, space: 'discord.js', writes: /^(?:client|bot)$/, reads: /^(?:client|bot)$/ });
/** Whether something is no setting of a client that is called the same as the bot. */
const isService = ({ type }: Value): boolean => type === 'http' || type === 'instance' || type === 'function';

/** https://discordjs.guide: what all parts of a bot share hangs on its client. */
export const discordLibrary: ClientRule = {
  name: 'discord.js',
  carries: [
    {
      ...discord,
      puts: (node, module) =>
        (discord.puts?.(node, module) ?? []).map((put) => ({
          ...put,
          value: (ev, at) => {
            const value = ev.evaluate(put.node, at);
            return optionsOf(value).every(isService) ? value : unknown(put.node, at.module);
          },
        })),
    },
  ],
};

interface Contexts extends Required<Pick<Names, 'where' | 'space' | 'reads'>> {
  /** What the function is called, or is given as, that makes a context. */
  readonly makers: RegExp;
  /** Under which name an object is one. */
  readonly under: RegExp;
}

/** Contexts that a function makes, `createContext: () => ({ client })`, or that stand there, `next({ ctx: { client } })`. */
function contexts({ where, space, reads, makers, under }: Contexts): Carrying {
  const isContext = (node: ObjectNode): boolean => {
    const { parent } = node;
    if (parent?.kind === 'property') return under.test(parent.name ?? '');
    const fn = parent?.kind === 'return' ? functionAround(parent) : parent?.kind === 'function' ? parent : undefined;
    const holder = fn?.parent;
    const name = holder?.kind === 'variable' ? lastName(holder.target) : holder?.kind === 'property' ? holder.name : fn?.name?.name;
    return name !== undefined && makers.test(name);
  };
  return {
    ...named({ where, space, reads }),
    puts: (node: PutNode): readonly Put[] =>
      node.kind !== 'object' || !isContext(node)
        ? []
        : node.properties.flatMap((each) =>
            each.kind === 'property' && each.name !== undefined ? [{ space, key: each.name, node: each.value }] : [],
          ),
  };
}

/** https://trpc.io/docs/server/context */
export const trpcLibrary: ClientRule = {
  name: '@trpc/server',
  carries: [
    contexts({
      where: /['"]@trpc\/server(?:\/[\w-]+)*['"]/,
      space: 'trpc',
      makers: /^create\w*Context(?:Inner)?$/,
      under: /^ctx$/,
      reads: /^ctx$/,
    }),
  ],
};

/** https://www.apollographql.com/docs/apollo-server/data/context: the third parameter of resolvers. */
export const graphqlLibrary: ClientRule = {
  name: '@apollo/server',
  carries: [
    contexts({
      where: /['"](?:@apollo\/server|apollo-server(?:-\w+)*|graphql-yoga|mercurius)(?:\/[\w-]+)*['"]/,
      space: 'graphql',
      makers: /^(?:context|create\w*Context)$/,
      under: /^context$/,
      reads: /^(?:_?ctx|_?context|contextValue|\(parameter\))$/,
    }),
  ],
};
