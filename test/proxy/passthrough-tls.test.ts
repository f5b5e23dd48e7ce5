import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { generate } from 'selfsigned';
import { expect, onTestFinished, test } from 'vitest';
import { failures } from '../../proxy/failures.ts';
import { createProxy } from '../../proxy/handler.ts';
import type { ProxyServerOptions } from '../../proxy/options.ts';
import { proxyOptions } from '../helpers/proxy.ts';
import { RawConnection, resetsAfterBytes } from '../helpers/raw.ts';
import { head, startPassThrough, startRawV2 } from './passthrough-proxy.ts';

const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
  keyType: 'ec',
  extensions: [
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        { type: 7, ip: '127.0.0.1' },
      ],
    },
  ],
});

const get = head('GET /v2/contacts HTTP/1.1', 'Host: a', 'Connection: close');

async function startTlsServer(listener: RequestListener): Promise<number> {
  const server = createServer({ key, cert }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}

/** One request through a pass-through to a v2 with the certificate above. */
async function answerOf(overrides: Partial<ProxyServerOptions>, host = '127.0.0.1') {
  let requests = 0;
  const port = await startTlsServer((_req, res) => {
    requests++;
    res.end('secret');
  });
  const client = await (await startPassThrough(`https://${host}:${port}`, overrides)).connect();
  client.write(get);
  return { body: (await client.readAnswer()).body.toString(), requests };
}

test('a certificate of an authority in v2Ca is trusted, for an address and for a name', async () => {
  for (const host of ['127.0.0.1', 'localhost']) expect(await answerOf({ v2Ca: cert }, host)).toEqual({ body: 'secret', requests: 1 });
});

test('any other certificate is refused, whatever the environment says, and v2 sees no request', async () => {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  onTestFinished(() => void delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
  const { body, requests } = await answerOf({});
  expect(JSON.parse(body).code).toBe(failures.unreachable.code);
  expect(requests).toBe(0);
});

test('an answer that v2 breaks off does not look whole to a client over TLS', async () => {
  const v2 = await startRawV2(async (connection) => {
    await connection.readUntil('\r\n\r\n');
    connection.write(`${head('HTTP/1.1 200 OK')}cut`);
    await connection.readUntil('got it');
    connection.reset();
  });
  const proxy = createProxy(proxyOptions(v2.base));
  onTestFinished(() => proxy.close());
  const port = await startTlsServer((req, res) => void proxy.handler(req, res));
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const client = new RawConnection(socket);
  client.write(`${head('POST /v2/a HTTP/1.1', 'Host: a', 'Content-Length: 6')}g`);
  const answer = client.readAnswer();
  client.write('ot it');
  const seen = await answer.then(
    () => 'end' as const,
    () => 'reset' as const,
  );
  expect(resetsAfterBytes).toContain(seen);
});
