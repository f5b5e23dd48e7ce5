/** What the sandbox is, and what the documents of the API describe with it. */
import { errorDialects, successEnvelopes } from '../contract/dialects.ts';
import { deliveryRules } from '../contract/events.ts';
import type { Setting } from './setting.ts';
import { address, boolean, duration, instant, oneOf, positive, text } from './types.ts';

const sandbox = ['sandbox'] as const;
const shaped = ['sandbox', 'openapi'] as const;

export const sandboxSettings = [
  {
    name: 'listen',
    commands: sandbox,
    only: 'command',
    type: address,
    default: '127.0.0.1:9000',
    description: 'Where to serve; port 0 picks a free one',
  },
  {
    name: 'admin',
    commands: sandbox,
    only: 'command',
    type: address,
    default: '127.0.0.1:9001',
    description: 'Where to serve the admin endpoints',
  },
  {
    name: 'seed',
    commands: sandbox,
    type: text,
    default: 'sandbox',
    description: 'Makes the demo keys and ids; the same seed makes the same',
  },
  {
    name: 'dialect',
    commands: shaped,
    type: oneOf(errorDialects),
    default: 'v1',
    description: `Shape of the errors of v2, which nobody outside the service knows: ${errorDialects.join(', ')}`,
  },
  {
    name: 'clock',
    commands: sandbox,
    type: instant,
    otherwise: "the machine's clock",
    description: 'Instant such as 2026-12-30T23:59:00Z at which the clock stands still until it is turned',
  },
  {
    name: 'deprecationHeaders',
    commands: sandbox,
    type: boolean,
    default: false,
    description: 'Announce the sunset in the answers of v1: Deprecation, Sunset and Link',
  },
  {
    name: 'envelope',
    commands: shaped,
    type: oneOf(successEnvelopes),
    default: 'v1',
    description: `Shape of the successes of v2, which is not known either: ${successEnvelopes.join(', ')}`,
  },
  {
    name: 'allowPrivateWebhooks',
    commands: sandbox,
    type: boolean,
    default: false,
    description: 'Let webhooks go to private addresses and over http, for receivers on this machine',
  },
  {
    name: 'maxRecords',
    commands: sandbox,
    type: positive,
    default: 100_000,
    description: 'Records kept in memory, each of them counted once for every KiB begun; the oldest messages go first',
  },
  {
    name: 'webhookTimeout',
    commands: sandbox,
    type: duration,
    default: `${deliveryRules.timeout / 1_000}s`,
    description: 'Time for a receiver of webhooks to answer; real time, however the clock is turned',
  },
] as const satisfies readonly Setting[];
