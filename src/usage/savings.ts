import { labelOf, unlisted, v1Endpoints } from '../contract/endpoints.ts';
import { type Caller, reuseTimes, type SavingRow } from './model.ts';
import { resourceHash } from './resource-hash.ts';
import { SavingsMeter } from './savings-meter.ts';
import type { Use } from './use.ts';

/** The counts of one caller in one hour, while they grow. */
export interface GrowingSaving {
  readonly hour: number;
  readonly caller: number;
  readonly counts: { asked: number; untranslated: number; readonly saved: number[] };
  /** Whether it holds what no write under way or done has. */
  dirty: boolean;
}

/** What of a caller with a key its savings are found by. */
export interface Saver {
  readonly key: number;
  /** Whose budget it is: the workspace, where the configuration knows it. */
  readonly account: number;
  saving: GrowingSaving | undefined;
  /** The session that it belongs to. */
  of: SavingsOfSession | undefined;
}

export function saverOf({ keyHash, workspace }: Omit<Caller, 'id'>): Saver | undefined {
  if (keyHash === null) return undefined;
  return { key: resourceHash(keyHash), account: resourceHash(workspace ?? keyHash), saving: undefined, of: undefined };
}

/** What one session has to tell of savings; no more rows than callers are known of an hour. */
export class SavingsOfSession {
  #pending: GrowingSaving[] = [];
  #underWay: readonly GrowingSaving[] = [];

  get hasNews(): boolean {
    return this.#pending.length > 0 || this.#underWay.length > 0;
  }

  grew(saving: GrowingSaving): void {
    if (saving.dirty) return;
    saving.dirty = true;
    this.#pending.push(saving);
  }

  /** The rows with news, at most so many. `written` or `failed` must follow. */
  take(most: number): readonly SavingRow[] {
    const taken = this.#pending.slice(0, most);
    this.#pending = this.#pending.slice(most);
    for (const saving of taken) saving.dirty = false;
    this.#underWay = taken;
    return taken.map(({ hour, caller, counts }) => ({ hour, caller, counts: { ...counts, saved: [...counts.saved] } }));
  }

  written(): void {
    this.#underWay = [];
  }

  failed(): void {
    const again = this.#underWay.filter(({ dirty }) => !dirty);
    for (const saving of again) saving.dirty = true;
    this.#underWay = [];
    this.#pending = [...again, ...this.#pending];
  }
}

const v1Labels: ReadonlySet<string> = new Set(Object.values(v1Endpoints).map(labelOf));

/** Refused by a limit: without it, the call would have been asked and answered. */
const tooMany = 429;

/**
 * What v2 is asked for a call where no budget refuses it, no saver spares it, and v1 does not answer it any more. A call that was refused in a
 * brownout was asked to go, and a question that compares goes with v1.
 */
function costOf({ outcome, v2Calls, status, method, endpoint }: Use): number {
  switch (outcome) {
    case 'observed':
    case 'compared':
      return endpoint === unlisted ? 0 : 1;
    case 'passed':
      return v1Labels.has(endpoint) ? 0 : Math.max(v2Calls, 1);
    case 'translated':
      // A read that was answered without v2 was saved indeed.
      return v2Calls === 0 && (method === 'GET' || status === tooMany) ? 1 : v2Calls;
    case 'local':
      return status === tooMany ? 1 : 0;
    case 'failed':
      return v2Calls;
    case 'refused':
      return 0;
  }
}

/** Counts what v2 would be asked by the hour, and what savers would spare it. */
export class Savings {
  readonly #meter = new SavingsMeter();

  /** @param resource hash of path and query of a GET to v1 */
  add(use: Use, resource: number | undefined, { id }: Caller, saver: Saver, hour: number, session: SavingsOfSession): void {
    const cost = costOf(use);
    const { at, duration, status, outcome } = use;
    if (resource === undefined && use.method !== 'GET' && use.method !== 'HEAD') this.#meter.write(saver.account, at - duration, at);
    if (cost === 0) return;
    let { saving } = saver;
    if (saving === undefined || saving.hour !== hour || saver.of !== session) {
      saver.saving = saving = { hour, caller: id, counts: { asked: 0, untranslated: 0, saved: reuseTimes.map(() => 0) }, dirty: false };
      saver.of = session;
    }
    session.grew(saving);
    const { counts } = saving;
    counts.asked += cost;
    if (outcome === 'observed' || outcome === 'compared') counts.untranslated++;
    // Whole answers alone are used again, and those that a limit took away.
    if (resource === undefined || (status !== 200 && status !== tooMany)) return;
    const bits = this.#meter.read(saver.account, saver.key, resource, at - duration, at);
    for (let setting = 0, rest = bits; rest !== 0; setting++, rest >>= 1)
      if ((rest & 1) !== 0) counts.saved[setting] = (counts.saved[setting] ?? 0) + 1;
  }
}
