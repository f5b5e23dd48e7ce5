import { EventEmitter } from 'node:events';

export const bus = new EventEmitter();

bus.on('/v1/messages/send', ({ headers }) => console.log(headers['x-api-key'] ? 'with key' : 'without'));
bus.emit('/v1/messages/send', { headers: { 'x-api-key': 'k' } });
