import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2 } from 'aws-lambda';
import { loadEnv } from '../env.ts';
import { createMessagingClient } from '../messaging/client.ts';

/** Our own API: GET and POST /v1/contacts, behind an authorizer. */
export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyResultV2> {
  const messaging = createMessagingClient(loadEnv());
  const { method, path } = event.requestContext.http;
  if (path !== '/v1/contacts') return { statusCode: 404 };
  if (method === 'GET') {
    const page = Number(event.queryStringParameters?.page ?? 1);
    return { statusCode: 200, body: JSON.stringify(await messaging.listContacts({ page })) };
  }
  const { created, contact } = await messaging.createContact(JSON.parse(event.body ?? '{}'));
  return { statusCode: created ? 201 : 200, body: JSON.stringify(contact) };
}
