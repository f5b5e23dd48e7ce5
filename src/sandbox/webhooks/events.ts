/** Raising events, as the dashboard and the inbox do: with sample data where none is given. */
import type { EventKind } from '../../contract/events.ts';
import { dayInMs } from '../../contract/times.ts';
import { timestamp } from '../clock/clock.ts';
import { isoOf } from '../clock/instants.ts';
import type { JsonObject } from '../values/json.ts';
import type { Refusal } from '../service/outcome.ts';
import { phoneDigits } from '../values/phone-number.ts';
import type { WebhookEndpoint, Workspace } from '../store/workspace.ts';
import type { RaisedEvent } from './attempt.ts';
import type { Deliveries } from './deliveries.ts';
import { type InboundMessage, type InboundParts, takeInbound } from './inbound.ts';

export interface Events {
  /** Raises an event of any kind. @param data as it is; a sample of the kind where absent */
  raise(workspace: Workspace, kind: EventKind, data?: JsonObject): RaisedEvent;
  /** A click on Test: test.ping to this endpoint alone. */
  test(workspace: Workspace, webhook: WebhookEndpoint): RaisedEvent;
  /** A message arrives in the inbox and raises message.received. @returns a refusal where `from` is no phone number */
  receiveMessage(workspace: Workspace, message: InboundMessage): RaisedEvent | Refusal;
}

export interface EventsParts extends InboundParts {
  readonly deliveries: Deliveries;
}

const notANumber: Refusal = {
  refused: 'badRequest',
  error: 'from must be a phone number: up to 15 digits, with or without a leading plus',
};

export function createEvents({ deliveries, ...parts }: EventsParts): Events {
  const sample = samples(parts);
  return {
    raise: (workspace, kind, data) => deliveries.raise(workspace, kind, data ?? sample[kind](workspace)),
    test: (workspace, webhook) => deliveries.raise(workspace, 'test.ping', sample['test.ping'](workspace), webhook),
    receiveMessage(workspace, message) {
      const from = phoneDigits(message.from);
      if (from === undefined) return notANumber;
      return deliveries.raise(workspace, 'message.received', { ...takeInbound(workspace, { ...message, from }, parts) });
    },
  };
}

const person = { name: 'Ada Example', email: 'ada@example.com', phone: '+15550100123' };

/**
 * What an event of each kind may look like. Only that of message.received is shown (api.md §6); the others are assumed, so receivers
 * should rely on none of their fields.
 */
function samples(parts: InboundParts): Record<EventKind, (workspace: Workspace) => JsonObject> {
  const { nextId, clock } = parts;
  return {
    'lead.created': () => ({ leadId: nextId('lead'), ...person, source: 'Sample funnel', createdAt: timestamp(clock) }),
    'booking.created': () => ({
      bookingId: nextId('book'),
      ...person,
      startsAt: isoOf(clock.now() + dayInMs),
      createdAt: timestamp(clock),
    }),
    'order.created': () => ({
      orderId: nextId('ord'),
      ...person,
      items: [{ name: 'Sample product', quantity: 1, price: '19.00' }],
      total: '19.00',
      currency: 'EUR',
      createdAt: timestamp(clock),
    }),
    // A real one in the inbox, so that its contact can be read.
    'message.received': (workspace) => ({
      ...takeInbound(workspace, { from: '15550100123', text: 'Sample message', name: person.name }, parts),
    }),
    'test.ping': () => ({ message: 'Test' }),
  };
}
