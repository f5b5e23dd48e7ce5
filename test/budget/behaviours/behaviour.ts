/** What a client does in the course of a day, as data: which calls it makes, and when. */
import type { Plan } from '../../../src/contract/plans.ts';
import { minuteInMs } from '../../../src/contract/times.ts';

export interface Call {
  /** Milliseconds since the hour began. Calls of one instant are under way at once. */
  readonly at: number;
  readonly app: string;
  /** Method and target; `{message:3}` stands for the id of the third newest message, `{contact:3}` for that of the third contact. */
  readonly endpoint: string;
  readonly json?: object;
}

export interface Behaviour {
  readonly name: string;
  /** Which client of v1 does so. */
  readonly who: string;
  readonly plan: Plan;
  /** Its applications, all with one key: whether they make what they were refused again once they were told to, or go on as if nothing had been. */
  readonly apps: Readonly<Record<string, 'goes on' | 'comes back'>>;
  /** What one sets for it under `budget`, as docs/budget.md has it. */
  readonly settings: object;
  /** How many contacts there are. */
  readonly contacts: number;
  /** The calls of an hour of the day, from 0 to 23, in any order. */
  readonly hour: (hour: number) => readonly Call[];
}

export const second = 1_000;

/** One that comes again and again within the hour. @param from when it comes first */
export function every(interval: number, from: number, calls: (time: number) => readonly Call[]): Call[] {
  const times = Math.ceil((60 * minuteInMs - from) / interval);
  return Array.from({ length: times }, (_, time) => calls(time).map((call) => ({ ...call, at: from + time * interval + call.at }))).flat();
}

/** Calls one after another. */
export const series = (count: number, apart: number, call: (index: number) => Omit<Call, 'at'>): Call[] =>
  Array.from({ length: count }, (_, index) => ({ ...call(index), at: index * apart }));

export const at = (instant: number, calls: readonly Call[]): Call[] => calls.map((call) => ({ ...call, at: instant + call.at }));

export const send = (app: string, version: 'v1' | 'v2' = 'v1'): Omit<Call, 'at'> => ({
  app,
  endpoint: `POST /${version}/messages/send`,
  json: { channel: 'SMS', to: '+15550100', content: 'Your order is on its way' },
});

export const get = (app: string, target: string): Omit<Call, 'at'> => ({ app, endpoint: `GET ${target}` });
