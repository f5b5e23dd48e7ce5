import type { Context } from './context.ts';

interface Page {
  page: number;
  limit: number;
}

export const resolvers = {
  Query: {
    contacts: (_: unknown, { page, limit }: Page, { dataSources }: Context) => dataSources.messaging.contacts(page, limit),
    contact: (_: unknown, { id }: { id: string }, { dataSources }: Context) => dataSources.messaging.contact(id),
    message: (_: unknown, { id }: { id: string }, { dataSources }: Context) => dataSources.messaging.message(id),
  },
  Mutation: {
    send: async (_: unknown, { to, content }: { to: string; content: string }, { dataSources }: Context) =>
      (await dataSources.messaging.send(to, content)).messageId,
    startCampaign: async (_: unknown, { name }: { name: string }, { dataSources }: Context) => {
      const { id } = await dataSources.campaigns.create(name);
      await dataSources.campaigns.start(id);
      return true;
    },
  },
};
