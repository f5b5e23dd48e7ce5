import { type ApiFetcher, initClient, tsRestFetchApi } from '@ts-rest/core';
import { messagingContract } from '../contracts/messaging';

/** Says how long each call took. */
const timed =
  (log: (line: string) => void): ApiFetcher =>
  async (args) => {
    const since = Date.now();
    const answer = await tsRestFetchApi(args);
    log(`${args.method} ${args.path} ${answer.status} in ${Date.now() - since} ms`);
    return answer;
  };

export const createMessaging = (apiKey: string, log: (line: string) => void = () => {}) =>
  initClient(messagingContract, {
    baseUrl: 'https://api.example.com',
    baseHeaders: { 'x-api-key': apiKey },
    api: timed(log),
  });

export type Messaging = ReturnType<typeof createMessaging>;
