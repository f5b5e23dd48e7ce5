import { describe, expect, it } from 'vitest';
import type { KeyMap } from '../../proxy/keys/key-map.ts';
import { startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';

const v1Key = 'sk_test_0123456789';

/** The reason phrase that a client gets where v2 says this one. */
async function phraseOf(said: string, v2Key?: string): Promise<string> {
  await using v2 = await startRecordingUpstream((_req, res) => {
    res.writeHead(200, said, { 'Content-Type': 'application/json' }).end('{}');
  });
  const keyMap: KeyMap | undefined = v2Key === undefined ? undefined : { lookup: () => v2Key, close: () => undefined };
  await using proxy = await startTestProxy(v2.url, keyMap === undefined ? {} : { keyMap });
  return (await fetch(`${proxy.url}/v1/contacts`, { headers: { 'x-api-key': v1Key } })).statusText;
}

describe('the reason phrase of v2', () => {
  it('is relayed', async () => {
    expect(await phraseOf('Fine', 'v2_key_0123')).toBe('Fine');
  });

  it('is the usual one where it holds the v2 key that the client must not learn', async () => {
    expect(await phraseOf('Fine for v2_key_0123', 'v2_key_0123')).toBe('OK');
  });

  it('may hold a key that is also the one of the client', async () => {
    expect(await phraseOf(`Fine for ${v1Key}`)).toBe(`Fine for ${v1Key}`);
  });
});
