import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import express from 'express';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Origins } from '../../proxy/origins.ts';
import { createMigrationProxy } from '../../src/index.ts';
import { LogLines, startRecordingUpstream } from '../helpers/proxy.ts';
import { get, head, startProxy, startRawV2 } from './faults.ts';

type Options = ConstructorParameters<typeof Origins>[0];

/** What a client can claim: each of these has been taken for the address of a client by some server. */
const claims = [
  'Forwarded: for=6.6.6.6;host=evil.example;proto=https;by=6.6.6.6',
  'forwarded: for=6.6.6.6',
  'X-Forwarded-For: 6.6.6.6',
  'x-forwarded-for: 6.6.6.6, 127.0.0.1',
  'X_Forwarded_For: 6.6.6.6',
  'X-Forwarded-Host: evil.example',
  'X-Forwarded-Proto: https',
  'X-Forwarded-Port: 443',
  'X-Forwarded-Prefix: /evil',
  'X-Forwarded-Server: evil.example',
  'X-Forwarded-Client-Cert: By=evil',
  'X-Forwarded-User: root',
  'X-Forwarded: for=6.6.6.6',
  'X-Original-Forwarded-For: 6.6.6.6',
  'X-Real-IP: 6.6.6.6',
  'X_REAL_IP: 6.6.6.6',
  'X-Client-IP: 6.6.6.6',
  'Client-IP: 6.6.6.6',
  'X-Cluster-Client-IP: 6.6.6.6',
  'X-Remote-IP: 6.6.6.6',
  'X-Remote-Addr: 6.6.6.6',
  'X-Originating-IP: [6.6.6.6]',
  'True-Client-IP: 6.6.6.6',
  'CF-Connecting-IP: 6.6.6.6',
  'CF-Connecting-IPv6: 2001:db8::6',
  'CF-Pseudo-IPv4: 6.6.6.6',
  'Fastly-Client-IP: 6.6.6.6',
  'X-Envoy-External-Address: 6.6.6.6',
  'X-Envoy-Internal: true',
  'X-AppEngine-User-IP: 6.6.6.6',
  'X-Azure-ClientIP: 6.6.6.6',
  'X-Azure-SocketIP: 6.6.6.6',
  'X-ProxyUser-Ip: 6.6.6.6',
  'WL-Proxy-Client-IP: 6.6.6.6',
  'X-Vercel-Forwarded-For: 6.6.6.6',
  'X-Original-For: 6.6.6.6',
  'X-Original-Host: evil.example',
  'Fly-Client-IP: 6.6.6.6',
  'DO-Connecting-IP: 6.6.6.6',
  'Ali-CDN-Real-IP: 6.6.6.6',
  'X-Sucuri-ClientIP: 6.6.6.6',
  'X-Nf-Client-Connection-Ip: 6.6.6.6',
  'X-Host: evil.example',
  'X-Forward-For: 6.6.6.6',
  'Forwarded-For: 6.6.6.6',
  'X.Forwarded.For: 6.6.6.6',
  'Remote-Addr: 6.6.6.6',
  'X-AppEngine-Remote-Addr: 6.6.6.6',
  'CloudFront-Viewer-Address: 6.6.6.6:46532',
  'X-Source-IP: 6.6.6.6',
  'X-Client-Address: 6.6.6.6',
  'X-Peer-Address: 6.6.6.6',
  'X-Rewrite-URL: /evil',
  'X-Original-URL: /evil',
  'X-Envoy-Original-Path: /evil',
  'X-Envoy-Original-Dst-Host: 6.6.6.6:80',
  'X-SSL-Client-CN: evil',
];

/** The lines that v2 gets of a request and that tell where it came from. */
async function toldToV2(request: string, options: Partial<Options> = {}): Promise<string[]> {
  const received = Promise.withResolvers<string>();
  const v2 = await startRawV2(async (connection) => {
    received.resolve(await connection.readUntil('\r\n\r\n'));
    connection.write(head('HTTP/1.1 204 No Content'));
  });
  await (await startProxy(v2.base, options)).ask(request);
  return origins((await received.promise).split('\r\n'));
}

const origins = (lines: readonly string[]): string[] =>
  lines.filter((line) => /forwarded|[-_]ip|addr|internal|6\.6\.6\.6|evil/i.test(line) && !line.startsWith('GET '));

const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: k'];
const ways: readonly [string, (...fields: string[]) => string][] = [
  ['a translated call', (...fields) => get('/v1/messages', ...fields)],
  ['a call of v2', (...fields) => get('/v2/messages', ...fields)],
  ['a WebSocket handshake', (...fields) => get('/v2/events', ...upgrade, ...fields)],
];

describe.each(ways)('of %s', (_name, request) => {
  test('nothing goes on of what the client says of its address, but the address itself', async () => {
    expect(await toldToV2(request(...claims))).toEqual(['X-Forwarded-For: 127.0.0.1']);
  });

  test.each([
    ['none', []],
    ['x-forwarded-for', ['X-Forwarded-For: 127.0.0.1']],
    ['x-forwarded', ['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Host: a', 'X-Forwarded-Proto: http']],
    ['forwarded', ['Forwarded: for=127.0.0.1;host="a";proto=http']],
  ] as const)('v2 is told what --forwarded %s says, whatever Connection nominates', async (forwarded, told) => {
    const fields = [...claims, 'Connection: x-forwarded-for, forwarded, upgrade'];
    expect(await toldToV2(request(...fields), { forwarded })).toEqual(told);
  });

  test('a trusted proxy says who the client is, in X-Forwarded-For only', async () => {
    const fields = [...claims.slice(0, 3), 'X-Forwarded-For: 198.51.100.7, 10.0.0.9', 'X-Real-IP: 6.6.6.6'];
    expect(await toldToV2(request(...fields), { trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] })).toEqual([
      'X-Forwarded-For: 198.51.100.7, 10.0.0.9, 127.0.0.1',
    ]);
  });
});

describe('in a server of one’s own', () => {
  test('the connection counts, whatever Express trusts', async () => {
    const v2 = await startRecordingUpstream();
    const handler = await createMigrationProxy({ v2Base: v2.url, logger: new LogLines().logger, store: 'none' });
    const server = createServer(express().set('trust proxy', true).use(handler)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.close();
      server.closeAllConnections();
      await handler.close();
      await v2[Symbol.asyncDispose]();
    });
    const headers = { 'x-api-key': 'sk_test_0123456789', 'x-forwarded-for': '6.6.6.6', forwarded: 'for=6.6.6.6' };
    for (const version of ['v1', 'v2'])
      await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${version}/messages`, { headers });
    const told = v2.seen.map(({ rawHeaders }) => rawHeaders.filter((_, i) => /forwarded/i.test(rawHeaders[i - (i % 2)] ?? '')));
    expect(told).toEqual([
      ['X-Forwarded-For', '127.0.0.1'],
      ['X-Forwarded-For', '127.0.0.1'],
    ]);
  });
});

/** A request as it would come over a connection with that peer. */
const from = (remoteAddress: string | undefined, ...rawHeaders: string[]): IncomingMessage =>
  ({ socket: { remoteAddress }, rawHeaders }) as unknown as IncomingMessage;

const trusting: Options = {
  forwarded: 'forwarded',
  trustedField: 'either',
  trustedProxies: ['10.0.0.0/8', '192.0.2.7', '2001:db8:aaaa::/48'],
};

describe('the address of a client', () => {
  test.each([
    ['203.0.113.5', '203.0.113.5', 'for=203.0.113.5'],
    ['::ffff:203.0.113.5', '203.0.113.5', 'for=203.0.113.5'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', 'for="[2001:db8::1]"'],
    ['fe80::1%eth0', 'fe80::1', 'for="[fe80::1]"'],
    ['::1', '::1', 'for="[::1]"'],
    [undefined, undefined, 'for=unknown'],
  ])('that is %s is written %s and %s', (peer, address, element) => {
    const request = from(peer);
    expect(new Origins(trusting).clientOf(request)).toBe(address);
    expect(new Origins(trusting).fields(request)).toEqual(['Forwarded', `${element};proto=http`]);
    const told = address === undefined ? [] : ['X-Forwarded-For', address];
    expect(new Origins({ ...trusting, forwarded: 'x-forwarded-for' }).fields(request)).toEqual(told);
  });

  test.each<[string, string, string[], string]>([
    ['the peer, where it is no trusted proxy', '203.0.113.5', ['6.6.6.6'], '203.0.113.5'],
    ['whom a trusted proxy names', '10.0.0.1', ['203.0.113.5'], '203.0.113.5, 10.0.0.1'],
    ['whom a trusted proxy names over IPv6 that carries IPv4', '::ffff:10.0.0.1', ['203.0.113.5'], '203.0.113.5, 10.0.0.1'],
    ['whom a trusted proxy of IPv6 names', '2001:db8:aaaa::9', ['2001:DB8::5'], '2001:db8::5, 2001:db8:aaaa::9'],
    ['no address of a neighbouring network', '2001:db8:aaab::9', ['6.6.6.6'], '2001:db8:aaab::9'],
    ['no address that the client put before its own', '192.0.2.7', ['6.6.6.6, 203.0.113.5'], '203.0.113.5, 192.0.2.7'],
    [
      'found behind several trusted proxies',
      '10.0.0.1',
      ['6.6.6.6, 203.0.113.5, 192.0.2.7', '10.9.9.9'],
      '203.0.113.5, 192.0.2.7, 10.9.9.9, 10.0.0.1',
    ],
    ['the last trusted one, where all are', '10.0.0.1', ['10.0.0.3, 10.0.0.2'], '10.0.0.3, 10.0.0.2, 10.0.0.1'],
    ['the trusted proxy, where it names nobody', '10.0.0.1', [], '10.0.0.1'],
    ['named with a port', '10.0.0.1', ['203.0.113.5:4711'], '203.0.113.5, 10.0.0.1'],
    ['named in brackets with a port', '10.0.0.1', ['[2001:db8::5]:4711'], '2001:db8::5, 10.0.0.1'],
    ['named with white space', '10.0.0.1', ['\t 203.0.113.5 \t'], '203.0.113.5, 10.0.0.1'],
    ['not behind what is no address', '10.0.0.1', ['6.6.6.6, unknown, 10.0.0.2'], '10.0.0.2, 10.0.0.1'],
    ['named before and behind empty entries', '10.0.0.1', [',203.0.113.5, , 10.0.0.2 ,\t,'], '203.0.113.5, 10.0.0.2, 10.0.0.1'],
    ['not behind an address of other notations', '10.0.0.1', ['6.6.6.6, 0x0a.1, 10.0.0.2'], '10.0.0.2, 10.0.0.1'],
    ['not behind a quote', '10.0.0.1', ['"6.6.6.6, 10.0.0.2'], '10.0.0.2, 10.0.0.1'],
    [
      'not behind sixteen proxies',
      '10.0.0.1',
      [['6.6.6.6', ...Array<string>(16).fill('10.0.0.2')].join()],
      [...Array<string>(16).fill('10.0.0.2'), '10.0.0.1'].join(', '),
    ],
  ])('is %s', (_name, peer, values, chain) => {
    const request = from(peer, ...values.flatMap((value) => ['X-Forwarded-For', value]));
    expect(new Origins({ ...trusting, forwarded: 'x-forwarded-for' }).fields(request)).toEqual(['X-Forwarded-For', chain]);
    expect(new Origins(trusting).clientOf(request)).toBe(chain.split(', ')[0]);
  });
});

describe('what the client asked for', () => {
  const told = (peer: string, ...fields: string[]): string[] =>
    new Origins({ ...trusting, forwarded: 'x-forwarded' }).fields(from(peer, ...fields));

  test.each([
    ['as it came to us', '203.0.113.5', ['Host', 'a.example:8080'], ['a.example:8080', 'http']],
    [
      'as it came to us, whatever a client says',
      '203.0.113.5',
      ['Host', 'a', 'X-Forwarded-Host', 'b', 'X-Forwarded-Proto', 'https'],
      ['a', 'http'],
    ],
    [
      'as a trusted proxy says',
      '10.0.0.1',
      ['Host', 'a', 'X-Forwarded-Host', '[2001:db8::1]:443', 'X-Forwarded-Proto', 'HTTPS'],
      ['[2001:db8::1]:443', 'https'],
    ],
    ['as it came to us, where a trusted proxy says nothing', '10.0.0.1', ['Host', 'a'], ['a', 'http']],
    [
      'as it came to us, where a trusted proxy says what it cannot be',
      '10.0.0.1',
      ['Host', 'a', 'X-Forwarded-Host', 'b, c', 'X-Forwarded-Proto', 'https, http'],
      ['a', 'http'],
    ],
  ])('is %s', (_name, peer, fields, [host, proto]) => {
    expect(told(peer, ...fields).slice(2)).toEqual(['X-Forwarded-Host', host, 'X-Forwarded-Proto', proto]);
  });

  test.each(['a,b', 'a"b', 'a;proto=https', 'a b', "a'b", `${'a'.repeat(256)}`, '[::1', ''])('has no host where it is %o', (host) => {
    expect(told('203.0.113.5', 'Host', host)).toEqual(['X-Forwarded-For', '203.0.113.5', 'X-Forwarded-Proto', 'http']);
  });

  test('is https over TLS', () => {
    const request = { ...from('203.0.113.5'), socket: { remoteAddress: '203.0.113.5', encrypted: true } } as unknown as IncomingMessage;
    expect(new Origins(trusting).fields(request)).toEqual(['Forwarded', 'for=203.0.113.5;proto=https']);
  });

  test('belongs to the client in Forwarded, and not to the proxies between', () => {
    const fields = ['Host', 'a:1', 'X-Forwarded-Proto', 'https', 'X-Forwarded-For', '2001:db8::5, 10.0.0.2'];
    const element = 'for="[2001:db8::5]";host="a:1";proto=https';
    expect(new Origins(trusting).fields(from('10.0.0.1', ...fields))).toEqual(['Forwarded', `${element}, for=10.0.0.2, for=10.0.0.1`]);
  });
});

test('whatever a trusted proxy passes on, Forwarded and X-Forwarded-For keep their grammar and a bounded length', () => {
  const node = /^(?:\d+\.\d+\.\d+\.\d+|[0-9a-f:]+(?:\d+\.\d+\.\d+\.\d+)?)$/;
  const element = /^for=(?:[\d.]+|"\[[0-9a-f:.]+\]")(?:;host="[\w.:[\]-]+")?(?:;proto=https?)?$/;
  const part = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom('10.0.0.2', 'unknown', '"', ',', ', ', '[', ']', ';', '=', '\\', '%', '\xff', ':80'),
    fc.string({ unit: 'binary-ascii' }),
  );
  const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, text, (chain, host, proto) => {
      const request = from('10.0.0.1', 'X-Forwarded-For', chain, 'X-Forwarded-Host', host, 'X-Forwarded-Proto', proto);
      const [, forwarded = ''] = new Origins(trusting).fields(request);
      const [, chained = ''] = new Origins({ ...trusting, forwarded: 'x-forwarded-for' }).fields(request);
      for (const each of forwarded.split(', ')) expect(each).toMatch(element);
      for (const each of chained.split(', ')) expect(each).toMatch(node);
      expect(forwarded.length).toBeLessThan(2_000);
    }),
  );
});

// A container often has no IPv6.
const hasIPv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));

test.skipIf(!hasIPv6)('a client over IPv6 is known by its own address where the listener takes both', async () => {
  const v2 = await startRecordingUpstream();
  onTestFinished(() => v2[Symbol.asyncDispose]());
  const proxy = await startProxy(v2.url, { listen: { host: '::', port: 0 } });
  const { port } = new URL(proxy.url);
  for (const host of ['127.0.0.1', '::1']) {
    const socket: Socket = connect({ host, port: Number(port) });
    socket.end(get('/v1/messages', 'Connection: close'));
    await once(socket.resume(), 'close');
  }
  expect(v2.seen.map(({ rawHeaders }) => rawHeaders[rawHeaders.indexOf('X-Forwarded-For') + 1])).toEqual(['127.0.0.1', '::1']);
});
