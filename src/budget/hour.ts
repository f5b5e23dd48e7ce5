/**
 * What has been used of v2's hour. The reference shows the number and not how it is counted, so that there are three kinds: hours of the clock,
 * the last sixty minutes, and a bucket that fills up evenly. State is plain data: it lives in memory, or in a row that replicas share.
 */
import { hourInMs, minuteInMs } from '../contract/times.ts';

export const windowKinds = ['fixed', 'sliding', 'bucket'] as const;
export type WindowKind = (typeof windowKinds)[number];

/** v2's clock and ours are so far apart at most, in milliseconds: what is sent closer to the turn of an hour may count in either. */
export const skew = 2_000;

/** How v2 counts. */
export interface Window {
  readonly kind: WindowKind;
  /** When in an hour of the clock v2's begins, in milliseconds: 0 for on the hour. */
  readonly phase: number;
}

/** Calls that were sent in some time: in an hour, in a minute of the sliding kind, or what a bucket lacks at that time. */
export interface Slot {
  start: number;
  calls: number;
  /** Those of them that write. */
  sends: number;
}

/** From the oldest to the newest. */
export type Slots = Slot[];

export interface Used {
  readonly calls: number;
  readonly sends: number;
}

const none: Used = { calls: 0, sends: 0 };

/** A minute counts as long as any part of it is in the last hour. */
const slidingSlots = hourInMs / minuteInMs + 1;

export const hourBegan = (now: number, { phase }: Window): number => now - ((((now - phase) % hourInMs) + hourInMs) % hourInMs);

/** Whether a call that goes out now may count in an hour which what was taken for it then did not. */
export const isOtherHour = (window: Window, takenAt: number, now: number): boolean =>
  window.kind === 'fixed' && hourBegan(takenAt + skew, window) !== hourBegan(now + skew, window);

/** A clock that was turned back does not bring back an hour that is over. By more than two hours, it is what it said before that counts for nothing. */
function notBefore(slots: Slots, now: number): number {
  const last = slots.at(-1)?.start ?? 0;
  return last > now + skew && last - now <= 2 * hourInMs ? last + skew : now;
}

/** The most that any hour which the next call may count in has had. */
export function usedIn(slots: Slots, window: Window, limit: number, now: number): Used {
  if (window.kind === 'bucket') return lacking(slots, limit, now);
  const at = notBefore(slots, now);
  if (window.kind === 'sliding') return sum(slots, at - skew - slidingSlots * minuteInMs);
  const first = hourBegan(at - skew, window);
  const before = slotAt(slots, first);
  // Nearly always, it is clear which hour it is.
  if (at + skew < first + hourInMs) return before;
  const after = slotAt(slots, first + hourInMs);
  return before.calls > after.calls ? before : after;
}

/** Counts calls that are about to be sent. */
export function use(slots: Slots, window: Window, limit: number, now: number, calls: number, sends: number): void {
  if (window.kind === 'bucket') {
    const before = lacking(slots, limit, now);
    slots.length = 0;
    slots.push({ start: now, calls: before.calls + calls, sends: before.sends + sends });
    return;
  }
  const at = notBefore(slots, now);
  if (window.kind === 'sliding') return add(slots, minute(at), calls, sends);
  const first = hourBegan(at - skew, window);
  add(slots, first, calls, sends);
  if (at + skew >= first + hourInMs) add(slots, first + hourInMs, calls, sends);
}

/**
 * When so many calls more could be sent.
 * @param wanted how many have to be used no more
 * @returns epoch milliseconds
 */
export function freeAt(slots: Slots, window: Window, limit: number, now: number, wanted: number): number {
  if (window.kind === 'bucket') return now + Math.ceil((wanted * hourInMs) / limit);
  const at = notBefore(slots, now);
  if (window.kind === 'fixed') {
    const began = hourBegan(at, window);
    // Just after the turn, what was used before it may count still.
    const before = slotAt(slots, hourBegan(at - skew, window));
    const isTurning = before.calls - slotAt(slots, began).calls >= wanted;
    return began + (isTurning ? skew : hourInMs);
  }
  let rest = wanted;
  for (const { start, calls } of slots) {
    if (start <= at - skew - slidingSlots * minuteInMs) continue;
    rest -= calls;
    if (rest <= 0) return start + slidingSlots * minuteInMs + skew;
  }
  return at + hourInMs;
}

function lacking(slots: Slots, limit: number, now: number): Used {
  const last = slots.at(-1);
  if (last === undefined) return none;
  const filled = (Math.max(0, now - last.start) * limit) / hourInMs;
  return { calls: Math.max(0, last.calls - filled), sends: Math.max(0, last.sends - filled) };
}

const minute = (at: number): number => Math.floor(at / minuteInMs) * minuteInMs;

function slotAt(slots: Slots, start: number): Used {
  for (let index = slots.length - 1; index >= 0; index--) {
    const slot = slots[index];
    if (slot?.start === start) return slot;
  }
  return none;
}

function sum(slots: Slots, after: number): Used {
  let [calls, sends] = [0, 0];
  for (const slot of slots) {
    if (slot.start <= after) continue;
    calls += slot.calls;
    sends += slot.sends;
  }
  return { calls, sends };
}

/** Counts calls in the slot that begins then; fewer than none takes them back. */
export function add(slots: Slots, start: number, calls: number, sends: number): void {
  let index = slots.length - 1;
  while (index >= 0 && (slots[index]?.start ?? 0) > start) index--;
  const slot = slots[index];
  if (slot?.start === start) {
    slot.calls += calls;
    slot.sends += sends;
    return;
  }
  slots.splice(index + 1, 0, { start, calls, sends });
  while (slots.length > 1 && (slots[0]?.start ?? 0) < start - slidingSlots * minuteInMs) slots.shift();
}
