import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TLSSocket, connect as connectTls } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createReloadingTlsServer } from '../../proxy/tls.ts';
import { serve, useCommandLine } from '../cli/run.ts';
import { LogLines, startRecordingUpstream, startTestProxy, startUpstream } from '../helpers/proxy.ts';
import { RawConnection, connectRaw } from '../helpers/raw.ts';
import { listening } from '../helpers/process.ts';
import { post } from './faults.ts';

interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate that signs itself, for the names and addresses. */
async function selfSigned(...hosts: readonly string[]): Promise<Pair> {
  const altNames = hosts.map((host) => (/^\d/.test(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host }));
  const pems = await generate([{ name: 'commonName', value: 'test' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  return { cert: pems.cert, key: pems.private };
}

const [first, second] = [await selfSigned('127.0.0.1'), await selfSigned('127.0.0.1')];
const elsewhere = await selfSigned('example.com');
const free = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
const run = useCommandLine();

const folder = mkdtempSync(join(tmpdir(), 'tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Replaces a file in one step, so that nobody reads half of it. */
function put(name: string, text: string): string {
  writeFileSync(join(folder, 'new'), text);
  renameSync(join(folder, 'new'), join(folder, name));
  return join(folder, name);
}
const putPair = (name: string, { cert, key }: Pair): Pair => ({ cert: put(`${name}.crt`, cert), key: put(`${name}.key`, key) });

/** One GET; the certificate must be this one. */
async function get(
  url: string,
  ca: string,
  agent = new Agent({ keepAlive: false }),
): Promise<{ status: number; body: unknown; cert: string }> {
  const req = request(url, { ca, agent, headers: { 'x-api-key': 'sk_test_0123456789' } }).end();
  const [res] = await once(req, 'response');
  // Once the answer is read, it has no connection any more.
  const { raw } = (res.socket as TLSSocket).getPeerCertificate();
  const chunks: Buffer[] = await res.toArray();
  return {
    status: res.statusCode,
    body: JSON.parse(Buffer.concat(chunks).toString()),
    cert: `-----BEGIN CERTIFICATE-----${raw.toString('base64')}`,
  };
}
/** A certificate on one line, as `get` gives it. */
const line = ({ cert }: Pair): string => cert.replaceAll(/\s*\n|-----END.*/g, '').trim();

describe('the listener', () => {
  test('serves https with --tls-cert and --tls-key', async () => {
    await using v2 = await startRecordingUpstream();
    const files = putPair('cli', first);
    await using running = serve(['proxy', '--v2-base', v2.url, ...free, '--tls-cert', files.cert, '--tls-key', files.key]);
    const { url } = await listening(running);
    expect(url).toMatch(/^https:/);
    expect(await get(`${url}/v1/contacts`, first.cert)).toMatchObject({ status: 200, body: { success: true }, cert: line(first) });
    expect(v2.seen.map((seen) => seen.url)).toEqual(['/v2/contacts']);
  });

  test('is not kept from its end by connections without a request or without a handshake, and finishes what is in flight', async () => {
    const asked = Promise.withResolvers<() => void>();
    await using v2 = await startUpstream((_req, res) => {
      asked.resolve(() => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
    });
    await using proxy = await startTestProxy(v2.url, { tls: putPair('idle', first), drainTimeout: 60_000, headTimeout: 60_000 });
    const call = get(`${proxy.url}/v1/contacts`, first.cert);
    const silent = connectTls({ port: proxy.port, host: '127.0.0.1', ca: first.cert });
    await once(silent, 'secureConnect');
    const bare = await connectRaw(proxy.port);
    const answer = await asked.promise;
    const drained = proxy.drain();
    await Promise.all([once(silent.resume(), 'close'), bare.ending()]);
    answer();
    expect((await call).status).toBe(200);
    await drained;
  });

  test('gives the answer to a POST that v2 has to a client that ends its side and reads on', async () => {
    const asked = Promise.withResolvers<() => void>();
    await using v2 = await startUpstream((_req, res) => {
      asked.resolve(() => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
    });
    await using proxy = await startTestProxy(v2.url, { tls: putPair('half', first) });
    const socket = connectTls({ port: proxy.port, host: '127.0.0.1', ca: first.cert });
    socket.allowHalfOpen = true;
    await once(socket, 'secureConnect');
    const client = new RawConnection(socket);
    client.write(post('/v1/campaigns', 'Content-Length: 0'));
    const answer = await asked.promise;
    client.end();
    // Its end has come when a later connection is served.
    expect((await get(`${proxy.url}/v1/contacts/`, first.cert)).status).toBe(404);
    answer();
    expect((await client.readAnswer()).status).toBe(200);
    expect((await client.readToEnd()).bytes).toHaveLength(0);
  });

  // The files are looked at every second: these wait for it together.
  test.concurrent('takes replaced files without a restart, while open connections live on', async ({ onTestFinished }) => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url, { tls: putPair('replaced', first) });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    expect((await get(`${proxy.url}/v1/contacts`, first.cert, agent)).cert).toBe(line(first));
    putPair('replaced', second);
    await proxy.log.waitFor('certificate_loaded');
    expect((await get(`${proxy.url}/v1/contacts`, second.cert)).cert).toBe(line(second));
    expect((await get(`${proxy.url}/v1/contacts`, first.cert, agent)).cert).toBe(line(first));
  });

  test.concurrent.each([
    ['a file that is no certificate', 'nonsense', 'ERR_OSSL_PEM_NO_START_LINE'],
    ['a certificate of another key', second.cert, 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'],
    ['an empty certificate', '', 'PEM_CUT'],
    ['a certificate cut in its last line', first.cert.trimEnd().slice(0, -2), expect.stringMatching(/^(PEM_CUT|ERR_OSSL_PEM_)/)],
    ['a chain cut within its second certificate', `${first.cert}${elsewhere.cert}`.slice(0, -60), expect.stringMatching(/^ERR_OSSL_PEM_/)],
    ['a chain cut where its second certificate begins', `${first.cert}-----BEGIN CERT`, 'PEM_CUT'],
  ])('keeps the old certificate on %s, warns, and takes the next good one', async (name, cert, cause) => {
    await using v2 = await startRecordingUpstream();
    const files = putPair(name, first);
    await using proxy = await startTestProxy(v2.url, { tls: files });
    put(`${name}.crt`, cert);
    const [warning] = await proxy.log.waitFor('certificate_rejected');
    expect(warning).toMatchObject({ level: 40, file: files.cert, cause });
    expect((await get(`${proxy.url}/v1/contacts`, first.cert)).cert).toBe(line(first));
    putPair(name, second);
    await proxy.log.waitFor('certificate_loaded');
    expect((await get(`${proxy.url}/v1/contacts`, second.cert)).cert).toBe(line(second));
  });

  test.concurrent('misses no replacement between its reading of the files and its watching them', async ({ onTestFinished }) => {
    const { cert, key } = putPair('between', first);
    let looks = 0;
    const files = {
      // The files are named twice: to be watched and to be read. They are replaced between the two.
      get cert() {
        if (++looks === 2) putPair('between', second);
        return cert;
      },
      key,
    };
    const log = new LogLines();
    const { server, stopWatching } = createReloadingTlsServer({}, files, log.logger);
    onTestFinished(stopWatching);
    server.on('request', (_req, res) => res.end('{}')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await log.waitFor('certificate_loaded');
    const { port } = server.address() as AddressInfo;
    expect((await get(`https://127.0.0.1:${port}/`, second.cert)).cert).toBe(line(second));
  });

  test('needs both files', async () => {
    const { cert, key } = putPair('both', first);
    for (const [given, missing] of [
      [['--tls-cert', cert], '--tls-key: is required with --tls-cert'],
      [['--tls-key', key], '--tls-cert: is required with --tls-key'],
    ] as const) {
      const { code, stderr } = await run(['proxy', '--v2-base', 'http://127.0.0.1:9', ...free, ...given]);
      expect(code).toBe(4);
      expect(stderr).toContain(missing);
    }
  });

  test('does not start with files that do not belong together, and names them', async () => {
    const cert = put('own.crt', first.cert);
    const key = put('other.key', second.key);
    const { code, stderr } = await run(['proxy', '--v2-base', 'http://127.0.0.1:9', ...free, '--tls-cert', cert, '--tls-key', key]);
    expect(code).toBe(4);
    expect(stderr).toContain(`The certificate ${cert} and the key ${key} cannot be used`);
  });
});

describe('v2 over TLS', () => {
  async function startSecureV2({ cert, key }: Pair, answer: RequestListener = (_req, res) => void res.end('{"success":true}')) {
    let requests = 0;
    const server = createServer({ cert, key }, (req, res) => {
      requests++;
      answer(req, res);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
  }

  const key = { headers: { 'x-api-key': 'sk_test_0123456789' } };

  test.each([
    ['that signs itself', first, undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['of another host', elsewhere, elsewhere.cert, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('with a certificate %s is refused before it sees the key', async (_name, pair, v2Ca, cause) => {
    const v2 = await startSecureV2(pair);
    await using proxy = await startTestProxy(v2.url, { unreadyAfter: 0, ...(v2Ca === undefined ? {} : { v2Ca }) });
    const answer = await fetch(`${proxy.url}/v1/contacts`, key);
    expect([answer.status, await answer.json()]).toMatchObject([502, { success: false, code: 'PROXY_UPSTREAM_UNREACHABLE' }]);
    expect(proxy.log.of('call_failed')).toMatchObject([{ code: 'PROXY_UPSTREAM_UNREACHABLE', cause }]);
    expect((await fetch(`${proxy.adminUrl}/readyz`)).status).toBe(503);
    expect(v2.requests()).toBe(0);
  });

  test('is trusted with --v2-ca', async () => {
    const v2 = await startSecureV2(first);
    await using running = serve(['proxy', '--v2-base', v2.url, ...free, '--v2-ca', put('ca.pem', first.cert)]);
    const { url } = await listening(running);
    expect((await fetch(`${url}/v1/contacts`, key)).status).toBe(200);
    expect((await fetch(`${url}/v2/contacts`, key)).status).toBe(200);
    expect(v2.requests()).toBe(2);
  });

  test('is found to be back by asking it, without a warning of Node', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const v2 = await startSecureV2(first, (req, res) => void (req.method === 'HEAD' ? res.end() : req.socket.destroy()));
    await using proxy = await startTestProxy(v2.url, { unreadyAfter: 0, v2Ca: first.cert });
    expect((await fetch(`${proxy.url}/v1/contacts`, key)).status).toBe(502);
    expect((await fetch(`${proxy.adminUrl}/readyz`)).status).toBe(200);
    expect(warnings).toEqual([]);
  });

  test('needs a --v2-ca that holds a certificate', async () => {
    const file = put('nonsense.pem', 'nonsense');
    const { code, stderr } = await run(['proxy', '--v2-base', 'https://127.0.0.1:9', ...free, '--v2-ca', file]);
    expect(code).toBe(4);
    expect(stderr).toBe(`migrate-v2: --v2-ca: ${file} holds no certificate in PEM\n`);
  });
});
