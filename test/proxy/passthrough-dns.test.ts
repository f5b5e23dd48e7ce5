import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestProxy } from '../helpers/proxy.ts';

/** Failures of name resolution, which no server on this machine can be made to show. */
describe('what passes through to a v2 that cannot be found', () => {
  const v2 = 'http://v2.example.com';

  beforeAll(() => {
    nock.disableNetConnect();
    nock.enableNetConnect('127.0.0.1');
  });
  afterEach(() => nock.cleanAll());
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  it.each(['EAI_AGAIN', 'ENOTFOUND'])('is answered with 502 when the system says %s', async (code) => {
    const unreachable = nock(v2)
      .get('/v2/contacts')
      .replyWithError(Object.assign(new Error('no way'), { code }));
    await using proxy = await startTestProxy(v2);
    const response = await fetch(`${proxy.url}/v2/contacts`);
    expect([response.status, await response.json()]).toMatchObject([502, { code: 'PROXY_UPSTREAM_UNREACHABLE' }]);
    expect(proxy.log.of('call_failed')).toMatchObject([{ cause: code }]);
    expect(unreachable.isDone()).toBe(true);
  });
});
