import { describe, expect, it } from 'vitest';
import { startTestProxy } from '../helpers/proxy.ts';
import { type RawAnswer, connectRaw, listenRaw } from '../helpers/raw.ts';

const request = 'GET /v1/messages HTTP/1.1\r\nHost: x\r\nx-api-key: sk_test_0123456789\r\n\r\n';
const name = 'f\xfcr.json';
/** These two bytes alone would be valid UTF-8. */
const pair = '\xc3\xbc';

/** What a raw client gets of what a raw v2 sends; both as latin1, so that characters are bytes. */
async function relayed(bytes: string): Promise<RawAnswer> {
  const v2 = await listenRaw(async (connection) => {
    await connection.readUntil('\r\n\r\n');
    connection.write(Buffer.from(bytes, 'latin1'));
  });
  await using proxy = await startTestProxy(`http://127.0.0.1:${v2.port}`);
  const client = await connectRaw(proxy.port);
  client.write(request);
  const answer = await client.readAnswer();
  await v2.close();
  return answer;
}

describe('bytes beyond ASCII in the fields of v2', () => {
  it.each([
    ['a short answer', 2, '{}'],
    ['a long answer', 20_000, `{}${' '.repeat(19_998)}`],
  ])('reach the client of %s as they are', async (_name, length, body) => {
    const answer = await relayed(`HTTP/1.1 200 OK\r\nX-Name: ${name}${pair}\r\nContent-Length: ${length}\r\n\r\n${body}`);
    expect(answer.values('x-name')).toEqual([`${name}${pair}`]);
  });

  it('reach the client of an answer whose body is still to come', async () => {
    const v2 = await listenRaw(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(Buffer.from(`HTTP/1.1 200 OK\r\nX-Name: ${name}${pair}\r\nTransfer-Encoding: chunked\r\n\r\n`, 'latin1'));
    });
    await using proxy = await startTestProxy(`http://127.0.0.1:${v2.port}`);
    const client = await connectRaw(proxy.port);
    client.write(request);
    expect(await client.readUntil('\r\n\r\n')).toContain(`X-Name: ${name}${pair}\r\n`);
    client.reset();
    await v2.close();
  });

  it('reach the client of a translated error', async () => {
    const answer = await relayed(`HTTP/1.1 404 Not Found\r\nX-Name: ${name}${pair}\r\nContent-Length: 0\r\n\r\n`);
    expect(answer.values('x-name')).toEqual([`${name}${pair}`]);
  });
});

describe('the reason phrase of v2', () => {
  it('reaches the client', async () => {
    expect((await relayed('HTTP/1.1 200 Very well\r\nContent-Length: 2\r\n\r\n{}')).statusText).toBe('Very well');
  });

  it.each(['', ' a\x01b'])('gives way to the usual one where it is%j', async (phrase) => {
    expect((await relayed(`HTTP/1.1 200${phrase}\r\nContent-Length: 2\r\n\r\n{}`)).statusText).toBe('OK');
  });
});
