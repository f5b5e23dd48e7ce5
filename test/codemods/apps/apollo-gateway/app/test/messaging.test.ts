import nock from 'nock';
import { MessagingAPI } from '../src/datasources/messaging.ts';

describe('MessagingAPI', () => {
  afterEach(() => nock.cleanAll());

  it('reads contacts', async () => {
    nock('https://api.example.com', { reqheaders: { 'x-api-key': 'test-key' } })
      .get('/v1/contacts')
      .query({ page: '1', limit: '20' })
      .reply(200, { data: [{ id: 'c1' }] });
    await expect(new MessagingAPI('test-key').contacts(1, 20)).resolves.toEqual([{ id: 'c1' }]);
  });

  it('sends', async () => {
    nock('https://api.example.com').post('/v1/messages/send').reply(200, { messageId: 'm1' });
    await expect(new MessagingAPI('test-key').send('+15550100001', 'Hi')).resolves.toEqual({ messageId: 'm1' });
  });
});
