export { MessagingClient } from './client.js';
export { ApiError } from './http/errors.js';
export type { ClientOptions } from './options.js';
export type { Campaign } from './resources/campaigns.js';
export type { Contact } from './resources/contacts.js';
export type { Message, NewMessage } from './resources/messages.js';
export { createTelemetry } from './telemetry.js';
