export interface AuthHeaders {
  'x-api-key': string;
}

export type Endpoint = `GET /v1/${'messages' | 'contacts'}` | 'POST /v1/messages/send';

export type Client = { get(path: '/v1/messages' | '/v1/contacts'): Promise<unknown> };
