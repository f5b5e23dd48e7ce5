/** A webhook that answers as a test says, and keeps what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

/** One for each request, and the last one for all that follow. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

export const answer =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** Closes the connection instead of answering. */
export const hangUp: Answer = (_response, request) => request.socket.destroy();

export const secretPath = '/services/T0123ABCD/B0456EFGH/aVerySecretToken1234';

/** @returns its address, with a path that is a secret, and what it was sent */
export async function receiver(...answers: readonly Answer[]): Promise<{ readonly url: URL; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ method: request.method, path: request.url, type: request.headers['content-type'], body });
      return (answers[received.length - 1] ?? answers.at(-1))?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}${secretPath}?sig=anotherSecret5678`), received };
}
