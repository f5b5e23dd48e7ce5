import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { welcome } from '../src/jobs/welcome.ts';
import { server } from './msw/server.ts';

describe('welcome', () => {
  before(() => server.listen({ onUnhandledRequest: 'error' }));
  after(() => server.close());

  it('greets new members', async () => {
    assert.equal(await welcome({ phone: '+15550100002' }), 'm1');
  });

  it('leaves those alone who are there', async () => {
    assert.equal(await welcome({ phone: '+15550100009' }), undefined);
  });
});
