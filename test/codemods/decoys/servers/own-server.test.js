import request from 'supertest';
import app from './express.js';

describe('our server', () => {
  it('refuses without a key', () => request(app).get('/v1/messages').expect(401));
  it('sends', () => request(app).post('/v1/messages/send').set('x-api-key', 'partner').send({ to: '+1555' }).expect(200));
});
