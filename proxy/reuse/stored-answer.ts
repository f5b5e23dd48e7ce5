/** Answers that are kept: what is made of one that came, whether it is fresh enough for a request, and how it is given. */
import type { PaidReceiver, PaidRequest } from '../budget/spending.ts';
import type { Sent } from '../upstream.ts';
import { copied, storedFields } from './fields.ts';
import type { Flight } from './flight.ts';
import type { Asked } from './identity.ts';
import { type End, Reading, type Source } from './reading.ts';
import { type Instant, type Kept, currentAge, since } from './store.ts';
import { itemOf } from './touched.ts';

/** Whether an answer may be used again at all; for how long says the configuration. */
export const isWorthKeeping = ({ status, identity, isHeldWhole, isTouched, cacheability }: Flight): boolean =>
  status === 200 && identity?.keeps === true && isHeldWhole && !isTouched && cacheability.kept;

interface Made {
  readonly identity: string;
  readonly asked: Instant;
  /** When the whole of it had come. */
  readonly now: Instant;
}

/** An answer to be kept, with bytes of its own. */
export function keptOf(flight: Flight, { identity, asked, now }: Made): Omit<Kept, 'lasts' | 'final'> {
  const { group, resource, request, status, statusText, fields, chunks, cacheability } = flight;
  const { age, date, lifetime } = cacheability;
  // Not of the pool that Node takes small ones from, which would be held with them.
  const body = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(body, at);
  return {
    identity,
    group,
    resource,
    item: itemOf(request.path),
    asked,
    initialAge: age,
    apparentAge: date === undefined ? 0 : Math.max(0, now.wall - date - since(asked, now)),
    lifetime,
    status,
    statusText: copied([statusText]).join(''),
    fields: copied(fields),
    body,
  };
}

/** Whether an answer is as fresh as a client wants it. */
export function isFreshFor({ maxAge, minFresh }: Asked, kept: Kept, now: Instant): boolean {
  const age = currentAge(kept, now);
  const left = Math.min(kept.lasts - kept.initialAge - since(kept.asked, now), kept.lifetime - age);
  return age <= maxAge && left >= minFresh;
}

const whole: End = { whole: true, tell: (receiver) => receiver.onEnd() };

/** One that is used again. */
export class StoredAnswer implements Source {
  readonly status: number;
  readonly statusText: string;
  readonly chunks: readonly Buffer[];
  readonly end = whole;
  readonly #fields: readonly string[];

  /** @param age milliseconds since v2 made it */
  constructor({ status, statusText, fields, body }: Kept, age: number) {
    this.status = status;
    this.statusText = statusText;
    this.chunks = body.length === 0 ? [] : [body];
    this.#fields = storedFields(fields, age);
  }

  isOpenTo(): boolean {
    return true;
  }

  fieldsFor(): readonly string[] {
    return this.#fields;
  }

  turned(): void {
    // Nobody is slowed.
  }

  left(): void {
    // Others keep it.
  }
}

export function readStored(answer: StoredAnswer, request: PaidRequest, receiver: PaidReceiver): Sent {
  const reading = new Reading(request, receiver, answer, true);
  // Not within the call: whoever reads has to get its handle first.
  process.nextTick(() => reading.give());
  return reading;
}
