import { describe, expect, it } from 'vitest';
import { reveals } from '../../proxy/revealing.ts';
import { startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';
import { connectRaw } from '../helpers/raw.ts';

const key = 'Sk_live_aB3dE5gH7jK9mN/+==';
const base64 = (before: string): string => Buffer.from(`${before}${key}:x`).toString('base64');

const revealing: readonly [string, string][] = [
  ['as it is', `bad key ${key}!`],
  ['in capitals', key.toUpperCase()],
  ['in small letters', key.toLowerCase()],
  ['in part', `bad key ${key.slice(3, 12)}`],
  ['at its end', key.slice(-9)],
  ['percent-encoded', encodeURIComponent(key)],
  ['percent-encoded in every character', [...key].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(key))],
  ['in base64', base64('')],
  ['in base64 behind one character', base64(':')],
  ['in base64 behind two', base64('u:')],
  ['in base64 behind a name', `Basic ${base64('user:')}`],
  ['in base64 of URLs', Buffer.from(`a${key}`).toString('base64url')],
  ['in hex', Buffer.from(key).toString('hex')],
  ['in hex in capitals', Buffer.from(key).toString('hex').toUpperCase()],
  ['masked with too little', `${key.slice(0, 7)}…${key.slice(-2)}`],
  ['masked with stars, with too little', `key=${key.slice(0, 6)}******${key.slice(-4)}`],
  ['masked with dots, with too little', `${key.slice(0, 5)}...${key.slice(-4)}`],
  ['masked with letters, with too little', `key=${key.slice(0, 7)}xxxxxxx${key.slice(-6)}`],
  ['masked with lines, with too little', `${key.slice(0, 7)}-----${key.slice(-2)}`],
  ['masked with signs, with too little', `${key.slice(0, 8)}###${key.slice(-1)}`],
  ['masked with dots in brackets, with too little', `${key.slice(0, 7)}[...]${key.slice(-2)}`],
  ['masked with a word, with too little', `${key.slice(0, 7)}<redacted>${key.slice(-2)}`],
  ['masked with any word, with too little', `${key.slice(0, 6)}(not-shown)${key.slice(-3)}`],
  ['with spaces', [...key].join(' ')],
  ['in groups', key.replaceAll(/(.{4})/g, '$1-')],
  ['with characters that nobody sees', [...key].join('\u200B')],
  ['in wide letters', [...key].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfe_e0)).join('')],
  ['in hex with colons', Buffer.from(key).toString('hex').replaceAll(/..\B/g, '$&:')],
  ['in escapes of JavaScript', [...key].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join('')],
  ['in escapes of JSON', [...key].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')],
  ['in references of HTML', [...key].map((c) => `&#${c.charCodeAt(0)};`).join('')],
  ['in references of HTML in hex', [...key].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join('')],
  ['in base64 twice', Buffer.from(base64('user:')).toString('base64')],
  ['in reverse', [...key].toReversed().join('')],
];

const harmless: readonly [string, string][] = [
  ['nothing', ''],
  ['another text', 'The phone number is not valid: +15550100'],
  ['a prefix of eight characters', `bad key ${key.slice(0, 8)}`],
  ['a mask with five and two characters', `bad key ${key.slice(0, 5)}…${key.slice(-2)}`],
  ['a mask with eight characters', `${key.slice(0, 8)}***`],
  ['masks of other kinds with eight', `${key.slice(0, 4)}xxxx${key.slice(-4)} ${key.slice(0, 6)}[redacted]${key.slice(-2)}`],
  ['dots', 'wait ... and try again'],
  ['an id in hex', '78486f263949a38c3125c173'],
];

describe('a key is revealed', () => {
  it.each(revealing)('%s', (_name, text) => {
    expect(reveals(text, key)).toBe(true);
  });
  it.each(harmless)('not by %s', (_name, text) => {
    expect(reveals(text, key)).toBe(false);
  });
  it('by any nine characters of it, and any twelve of its base64 and hex, wherever they stand', () => {
    const forms = [
      [key, 9],
      [Buffer.from(key).toString('base64').replace(/=+$/, '').slice(0, -1), 12],
      [Buffer.from(key).toString('hex'), 12],
    ] as const;
    for (const [form, length] of forms)
      for (let from = 0; from + length <= form.length; from++)
        for (let before = 0; before < length; before++) {
          const part = form.slice(from, from + length);
          expect(reveals(`${'#'.repeat(before)}${part}#`, key), `${part} behind ${before}`).toBe(true);
        }
  });
  it('by the whole of one that is short', () => {
    expect([reveals('no good', 'good'), reveals('no goo', 'good')]).toEqual([true, false]);
  });
  it('was tried in 35 forms', () => expect(revealing).toHaveLength(35));
});

it.each(revealing)('a v2 key %s in an error of v2 reaches neither the client nor the log', async (_name, said) => {
  const field = /^[\x20-\x7e]*$/.test(said) ? { 'X-Echo': said } : {};
  await using v2 = await startRecordingUpstream((_req, res) => {
    const body = { error: { message: said, details: { note: said } }, data: { id: 'c_1', note: said }, existed: true };
    res.writeHead(409, { 'Content-Type': 'application/json', ...field }).end(JSON.stringify(body));
  });
  await using proxy = await startTestProxy(v2.url, { keyMap: { lookup: () => key, close: () => undefined } });
  const headers = { 'x-api-key': 'k_1', 'content-type': 'application/json' };
  const response = await fetch(`${proxy.url}/v1/contacts`, { method: 'POST', headers, body: '{"name":"x"}' });
  const answer = [...response.headers].join('\n') + (await response.text());
  await proxy.log.waitFor('deprecated_use');
  expect([response.status, answer.includes(said), JSON.stringify(proxy.log.lines).includes(said)]).toEqual([409, false, false]);
});

it('a v2 key in the name of a field reaches the client neither with an answer nor before it', async () => {
  const secret = 'sk_v2_ZzYyXxWwVvUu9876';
  const named = { [secret]: '1', [`X-${secret}-Seen`]: '2', [`x-${Buffer.from(secret).toString('hex')}`]: '3' };
  await using v2 = await startRecordingUpstream((req, res) => {
    res.writeEarlyHints({ link: '</a>; rel=preload', ...named });
    const status = req.url === '/v2/contacts' ? 200 : 404;
    res.writeHead(status, { 'Content-Type': 'application/json', 'X-Kept': 'yes', ...named }).end('{}');
  });
  await using proxy = await startTestProxy(v2.url, { keyMap: { lookup: () => secret, close: () => undefined } });
  for (const path of ['/v1/contacts', '/v1/contacts/c_1']) {
    const client = await connectRaw(proxy.port);
    client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nx-api-key: k_1\r\nConnection: close\r\n\r\n`);
    const answer = (await client.readToEnd()).bytes.toString('latin1').toLowerCase();
    const lines = answer.split('\r\n').filter((line) => /^(?:http|link: <\/a>|x-)/.test(line));
    expect(lines).toEqual([
      'http/1.1 103 early hints',
      'link: </a>; rel=preload',
      expect.stringMatching(/^http\/1\.1 (?:200|404)/),
      'x-kept: yes',
    ]);
  }
});

// To look through 1 MiB would take seconds, in which no other call is answered; and what is quoted there, a client may have sent.
it('an error of v2 is not looked through for a v2 key where it is long: nothing of it is shown', async () => {
  const note = 'a*'.repeat(10_000);
  await using v2 = await startRecordingUpstream((_req, res) => {
    res
      .writeHead(409, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ error: { message: 'Taken' }, data: { id: 'c_1', phone: '+1', note } }));
  });
  await using proxy = await startTestProxy(v2.url, { keyMap: { lookup: () => key, close: () => undefined } });
  const headers = { 'x-api-key': 'k_1', 'content-type': 'application/json' };
  const response = await fetch(`${proxy.url}/v1/contacts`, { method: 'POST', headers, body: '{"phone":"+1"}' });
  expect([response.status, Object.keys((await response.json()) as object)]).toEqual([409, ['success', 'error', 'existed']]);
});
