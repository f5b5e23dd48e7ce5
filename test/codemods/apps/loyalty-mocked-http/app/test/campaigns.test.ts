import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { MockAgent } from 'undici';
import { startCampaign } from '../src/jobs/campaigns.ts';

describe('startCampaign', () => {
  let agent: MockAgent;

  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
  });
  afterEach(() => agent.close());

  it('sends it', async () => {
    const pool = agent.get('https://api.example.com');
    pool.intercept({ path: '/v1/campaigns/may', headers: { 'x-api-key': 'k' } }).reply(200, { data: {} });
    pool
      .intercept({ path: '/v1/campaigns/may/send', method: 'POST', headers: (headers) => headers['x-api-key'] === 'k' })
      .reply(200, { queued: 3 });
    assert.deepEqual(await startCampaign('may', { key: 'k', dispatcher: agent }), { queued: 3 });
    agent.assertNoPendingInterceptors();
  });

  it('knows when there is none', async () => {
    agent
      .get('https://api.example.com')
      .intercept({ path: (path) => path.startsWith('/v1/campaigns/') })
      .reply(404, {});
    assert.equal(await startCampaign('june', { key: 'k', dispatcher: agent }), undefined);
  });
});
