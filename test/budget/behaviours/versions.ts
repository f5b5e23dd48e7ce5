/** How old what a client is shown is: of each record it is known which versions it had, and until when. */
import type { Workspace } from '../../../src/sandbox/store/workspace.ts';

interface Version {
  readonly name: string;
  readonly since: number;
}

/** A message's version is its status, a contact's the time of its last change. */
export class Versions {
  readonly #workspace: Workspace;
  readonly #now: () => number;
  readonly #known = new Map<string, Version[]>();

  constructor(workspace: Workspace, now: () => number) {
    this.#workspace = workspace;
    this.#now = now;
  }

  /** Looks how a record is just now: to be called whenever one may have changed. */
  look(id: string): void {
    const name = this.#workspace.messages.get(id)?.status ?? this.#workspace.contacts.get(id)?.updatedAt;
    if (name === undefined) throw new Error(`no record has the id ${id}`);
    const known = this.#known.get(id) ?? [];
    this.#known.set(id, known);
    if (known.at(-1)?.name !== name) known.push({ name, since: this.#now() });
  }

  /** For how long what an answer shows is no longer so, in milliseconds: 0 where all of it is. */
  age(answer: unknown): number {
    return Math.max(0, ...recordsIn(answer).map((record) => this.#ageOf(record)));
  }

  #ageOf({ id, version }: Shown): number {
    const known = this.#known.get(id) ?? [];
    const index = known.findIndex(({ name }) => name === version);
    if (index === -1) throw new Error(`${id} never was ${version}`);
    const next = known[index + 1];
    return next === undefined ? 0 : this.#now() - next.since;
  }

  /** Whether a list of messages, of which the newest come first, was made before the last one was sent. */
  lacksTheNewest(answer: unknown): boolean {
    if (!isRecord(answer) || !Array.isArray(answer['data']) || answer['page'] !== 1) return false;
    const [first] = recordsIn(answer);
    return first !== undefined && this.#workspace.messages.get(first.id) !== this.#workspace.messages.all().at(-1);
  }
}

interface Shown {
  readonly id: string;
  readonly version: string;
}

/** The messages and contacts of an answer: one, or those of a list. */
function recordsIn(answer: unknown): Shown[] {
  if (!isRecord(answer)) return [];
  const inner = answer['data'];
  if (Array.isArray(inner)) return inner.flatMap(recordsIn);
  if (isRecord(inner)) return recordsIn(inner);
  const [id, version] = [answer['messageId'] ?? answer['id'], answer['status'] ?? answer['updatedAt']];
  return typeof id === 'string' && typeof version === 'string' ? [{ id, version }] : [];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
