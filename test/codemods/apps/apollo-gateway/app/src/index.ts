import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createContext } from './context.ts';
import { resolvers } from './resolvers.ts';
import { typeDefs } from './schema.ts';

const server = new ApolloServer({ typeDefs, resolvers });
const { url } = await startStandaloneServer(server, { context: createContext, listen: { port: 4000 } });
console.log(`Graph at ${url}`);
