import crypto from 'node:crypto';
import type { KeyAccess, KeyState } from '../../contract/auth.ts';
import { timestamp, type Clock } from '../clock/clock.ts';
import type { NextId } from '../values/ids.ts';
import type { Workspace } from './workspace.ts';

export interface Key {
  readonly id: string;
  readonly workspace: Workspace;
  readonly name: string;
  readonly access: KeyAccess;
  /** The first characters of the value: all that is visible of it after creation. */
  readonly prefix: string;
  readonly createdAt: string;
  /** Milliseconds since the epoch; the key is rejected after this instant. */
  expiresAt?: number | undefined;
  /** Its own limit of v1 calls a minute; the plan's where that is lower. */
  perMinute?: number | undefined;
  deleted: boolean;
}

export interface NewKey {
  readonly name: string;
  readonly access: KeyAccess;
  readonly expiresAt?: number | undefined;
  readonly perMinute?: number | undefined;
}

/** What may change of a key: null takes the expiry or the limit away, what is absent stays. */
export interface KeyChanges {
  readonly expiresAt?: number | null | undefined;
  readonly perMinute?: number | null | undefined;
}

/** A key as a snapshot holds it: with a hash in the place of its value. */
export interface SavedKey extends Omit<Key, 'workspace'> {
  readonly workspaceId: string;
  readonly hash: string;
}

/** In the order of their creation. */
export type KeysState = readonly SavedKey[];

export interface SavedKeys {
  readonly state: KeysState;
  readonly workspaceOf: (id: string) => Workspace;
}

const prefixLength = 8;

/** The API keys of all workspaces. Values are kept only as hashes, so that none can be shown twice (api.md §5). */
export class Keys {
  readonly #byHash = new Map<string, Key>();
  readonly #clock: Clock;
  readonly #nextId: NextId;

  /** @param saved the keys to begin with; none where absent */
  constructor(clock: Clock, nextId: NextId, saved?: SavedKeys) {
    this.#clock = clock;
    this.#nextId = nextId;
    saved?.state.forEach(({ hash, workspaceId, ...key }) => this.#byHash.set(hash, { ...key, workspace: saved.workspaceOf(workspaceId) }));
  }

  /** Everything to make the same keys again; no value can be had from it. */
  state(): KeysState {
    return [...this.#byHash].map(([hash, { workspace, ...key }]) => ({ ...key, workspaceId: workspace.id, hash }));
  }

  /** Creates a key. @returns the key, and its value for the only time */
  create(workspace: Workspace, { name, access, expiresAt, perMinute }: NewKey): { readonly key: Key; readonly value: string } {
    const value = this.#newValue();
    const key: Key = {
      id: this.#nextId('key'),
      workspace,
      name,
      access,
      prefix: value.slice(0, prefixLength),
      createdAt: timestamp(this.#clock),
      expiresAt,
      perMinute,
      deleted: false,
    };
    this.#byHash.set(digest(value), key);
    return { key, value };
  }

  /** Ids may repeat after a restore that counts fewer than there were, and of values only hashes are known. */
  #newValue(): string {
    const value = this.#nextId('ak');
    return this.#byHash.has(digest(value)) ? this.#newValue() : value;
  }

  /** The key with this value where it may be used, otherwise why not. */
  resolve(value: string): Key | Exclude<KeyState, 'active'> | 'unknown' {
    const key = this.#byHash.get(digest(value));
    if (key === undefined) return 'unknown';
    const state = this.stateOf(key);
    return state === 'active' ? key : state;
  }

  /** The keys of a workspace in the order of their creation, deleted ones included. */
  list(workspace: Workspace): readonly Key[] {
    return [...this.#byHash.values()].filter((key) => key.workspace === workspace);
  }

  /** Changes expiry and limit from the next call on; an expired key may live again, a deleted one does not. */
  update(key: Key, { expiresAt, perMinute }: KeyChanges): void {
    if (expiresAt !== undefined) key.expiresAt = expiresAt ?? undefined;
    if (perMinute !== undefined) key.perMinute = perMinute ?? undefined;
  }

  /** A deleted key stays known, and rejected, for ever. */
  delete(key: Key): void {
    key.deleted = true;
  }

  stateOf(key: Key): KeyState {
    if (key.deleted) return 'deleted';
    return key.expiresAt !== undefined && this.#clock.now() > key.expiresAt ? 'expired' : 'active';
  }
}

function digest(value: string): string {
  return crypto.hash('sha256', value);
}
