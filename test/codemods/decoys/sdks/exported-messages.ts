import { HttpClient } from './http-client-core';

export function createMessages(baseUrl: string, apiKey: string) {
  const client = new HttpClient({ baseUrl, apiKey });
  return {
    list: () => client.get('/v1/messages'),
    read: (id: string) => client.get(`/v1/messages/${id}`),
  };
}
