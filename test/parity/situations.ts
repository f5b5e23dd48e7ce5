/** Every situation of v1 that the reference documents: calls, and the status of each. */
import type { CallOptions } from '../helpers/sandbox.ts';

export const json = ['Content-Type', 'application/json'];
const message = { channel: 'SMS', to: '+15550100', content: 'Hello' };

type KeyName = 'readWriteKey' | 'readOnlyKey' | 'expiredKey' | 'deletedKey';
export interface Situation {
  readonly name: string;
  readonly call: string;
  readonly status: number;
  readonly options?: CallOptions;
  readonly demoKey?: KeyName;
}

/** Every situation of v1 that the reference documents, in an order in which each finds what it needs. */
export const situations: readonly Situation[] = [
  { name: 'send over SMS', call: 'POST /v1/messages/send', options: { json: message }, status: 200 },
  { name: 'send over WhatsApp', call: 'POST /v1/messages/send', options: { json: { ...message, channel: 'WHATSAPP' } }, status: 200 },
  { name: 'send over email', call: 'POST /v1/messages/send', options: { json: { ...message, channel: 'EMAIL' } }, status: 200 },
  {
    name: 'send with a charset',
    call: 'POST /v1/messages/send',
    options: { raw: JSON.stringify(message), headers: ['content-TYPE', 'Application/JSON; charset=utf-8'] },
    status: 200,
  },
  { name: 'send without channel', call: 'POST /v1/messages/send', options: { json: { ...message, channel: undefined } }, status: 400 },
  { name: 'send without recipient', call: 'POST /v1/messages/send', options: { json: { ...message, to: undefined } }, status: 400 },
  { name: 'send without content', call: 'POST /v1/messages/send', options: { json: { ...message, content: '' } }, status: 400 },
  {
    name: 'send over a channel outside the enum',
    call: 'POST /v1/messages/send',
    options: { json: { ...message, channel: 'FAX' } },
    status: 400,
  },
  {
    name: 'send with values of other types',
    call: 'POST /v1/messages/send',
    options: { json: { channel: 'FAX', to: 5, content: [] } },
    status: 400,
  },
  { name: 'send invalid JSON', call: 'POST /v1/messages/send', options: { raw: '{"channel":', headers: json }, status: 400 },
  { name: 'send a list', call: 'POST /v1/messages/send', options: { json: [message] }, status: 400 },
  { name: 'send nothing', call: 'POST /v1/messages/send', options: { headers: json }, status: 400 },
  { name: 'send without Content-Type', call: 'POST /v1/messages/send', options: { raw: JSON.stringify(message) }, status: 400 },
  { name: 'list messages', call: 'GET /v1/messages', status: 200 },
  { name: 'list messages with a read-only key', call: 'GET /v1/messages', demoKey: 'readOnlyKey', status: 200 },
  { name: 'read a message that is not there', call: 'GET /v1/messages/msg_none', status: 404 },
  { name: 'read a message by an id with an encoded slash', call: 'GET /v1/messages/a%2Fb', status: 404 },
  {
    name: 'create a contact',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550100', email: 'a@example.com', name: 'A' } },
    status: 201,
  },
  {
    name: 'create another contact',
    call: 'POST /v1/contacts',
    options: { json: { email: 'b@example.com', customFields: { big: 1 } } },
    status: 201,
  },
  {
    name: 'create a contact whose phone number exists',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550100', email: 'new@example.com' } },
    status: 409,
  },
  {
    name: 'create a contact whose email exists',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550199', email: 'a@example.com' } },
    status: 409,
  },
  {
    name: 'create a contact whose phone number and email belong to two others',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550100', email: 'b@example.com' } },
    status: 409,
  },
  {
    name: 'create a contact with a field that is not accepted',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550111', shoeSize: 43 } },
    status: 500,
  },
  { name: 'create a contact without phone and email', call: 'POST /v1/contacts', options: { json: { name: 'Nobody' } }, status: 400 },
  { name: 'create a contact from invalid JSON', call: 'POST /v1/contacts', options: { raw: 'nope', headers: json }, status: 400 },
  { name: 'create a contact without Content-Type', call: 'POST /v1/contacts', options: { raw: '{}' }, status: 400 },
  { name: 'list contacts', call: 'GET /v1/contacts', status: 200 },
  { name: 'list contacts by page and limit', call: 'GET /v1/contacts?page=2&limit=1', status: 200 },
  { name: 'list contacts with a limit that is none', call: 'GET /v1/contacts?page=0&limit=x', status: 200 },
  { name: 'read a contact that is not there', call: 'GET /v1/contacts/con_none', status: 404 },
  { name: 'update a contact that is not there', call: 'PUT /v1/contacts/con_none', options: { json: { name: 'x' } }, status: 404 },
  { name: 'create a campaign', call: 'POST /v1/campaigns', options: { json: { name: 'Autumn' } }, status: 201 },
  { name: 'read a campaign that is not there', call: 'GET /v1/campaigns/cmp_none', status: 404 },
  { name: 'send a campaign that is not there', call: 'POST /v1/campaigns/cmp_none/send', status: 404 },
  { name: 'no key', call: 'GET /v1/contacts', options: { key: null }, status: 401 },
  { name: 'an empty key', call: 'GET /v1/contacts', options: { key: '' }, status: 401 },
  { name: 'an unknown key', call: 'GET /v1/contacts', options: { key: 'ak_unknown' }, status: 401 },
  { name: 'a deleted key', call: 'GET /v1/contacts', demoKey: 'deletedKey', status: 401 },
  { name: 'an expired key', call: 'GET /v1/contacts', demoKey: 'expiredKey', status: 401 },
  {
    name: 'a key as a Bearer credential',
    call: 'GET /v1/contacts',
    options: { key: null, headers: ['Authorization', 'Bearer ak_1'] },
    status: 401,
  },
  {
    name: 'a key beside a dashboard session',
    call: 'GET /v1/contacts',
    options: { headers: ['Authorization', 'Bearer session'] },
    status: 200,
  },
  { name: 'two keys', call: 'GET /v1/contacts', options: { headers: ['X-API-Key', 'ak_2'] }, status: 401 },
  { name: 'send with a read-only key', call: 'POST /v1/messages/send', options: { json: message }, demoKey: 'readOnlyKey', status: 403 },
  {
    name: 'create a contact with a read-only key',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550122' } },
    demoKey: 'readOnlyKey',
    status: 403,
  },
  {
    name: 'update a contact with a read-only key',
    call: 'PUT /v1/contacts/con_none',
    options: { json: { name: 'x' } },
    demoKey: 'readOnlyKey',
    status: 403,
  },
  {
    name: 'create a campaign with a read-only key',
    call: 'POST /v1/campaigns',
    options: { json: { name: 'x' } },
    demoKey: 'readOnlyKey',
    status: 403,
  },
  { name: 'send a campaign with a read-only key', call: 'POST /v1/campaigns/cmp_none/send', demoKey: 'readOnlyKey', status: 403 },
  { name: 'a path that is no endpoint', call: 'GET /v1/nothing', status: 404 },
  { name: 'a path below an endpoint', call: 'GET /v1/contacts/con_1/notes', status: 404 },
  { name: 'a method that is not listed', call: 'DELETE /v1/contacts/con_1', status: 404 },
  { name: 'an endpoint of v2 only', call: 'GET /v1/webhooks', status: 404 },
  { name: 'an unlisted path without a key', call: 'GET /v1/nothing', options: { key: null }, status: 404 },
  { name: 'HEAD', call: 'HEAD /v1/contacts', status: 200 },
];
