import { describe, expect, it } from 'vitest';
import { reveals } from '../../proxy/revealing.ts';
import { startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';

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
];

const harmless: readonly [string, string][] = [
  ['nothing', ''],
  ['another text', 'The phone number is not valid: +15550100'],
  ['a prefix of eight characters', `bad key ${key.slice(0, 8)}`],
  ['a mask with five and two characters', `bad key ${key.slice(0, 5)}…${key.slice(-2)}`],
  ['a mask with eight characters', `${key.slice(0, 8)}***`],
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
  it('was tried in 18 forms', () => expect(revealing).toHaveLength(18));
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
