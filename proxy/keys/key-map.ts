/**
 * The key map (`--key-map FILE`): which v2 key stands for which v1 key. JSON or YAML, re-read when it changes:
 *
 *     keys:
 *       - v1: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
 *         v2: env:ACME_V2_KEY
 *       - v1: k_live_1f6a0c          # in the clear works, too
 *         v2: file:secrets/acme      # beside the map; one newline at its end is cut off
 *     default: reject                # or same: a key that is not listed is its own v2 key
 *
 * A map that is half written is never used. It is read when it has rested, it has to show its end (parse.ts), and a key file that is
 * rewritten in place has to end its line. A new one need not, as those of mounted secrets do not: that it has rested has to do.
 */
import crypto from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Logger } from 'pino';
import { watchFiles } from '../watch.ts';
import { KeyMapError } from './error.ts';
import { type MapFile, credential, parseMap } from './parse.ts';

/** As much of a key as the log shows. */
const shownOfKey = 8;

export interface KeyMap {
  /** The v2 key that stands for a v1 key; undefined where the map has none, and v1 would say that the key is invalid. */
  lookup(v1Key: string): string | undefined;
  /** The first characters of a v1 key that a v2 key stands for, as the log shows them: by these it may be known whose it is. */
  beginningOf?(v2Key: string): string | undefined;
  /** Stops to watch the files. */
  close(): void;
}

/** What the map says, as data: another process may look keys up in it. */
export interface KeyTable {
  /** v2 keys by the SHA-256 of the v1 key: no v1 key is kept, and how long a look-up takes says nothing about one. */
  readonly keys: ReadonlyMap<string, string>;
  /** The first characters of v1 keys, by their v2 keys. */
  readonly beginnings: ReadonlyMap<string, string>;
  readonly otherwise: MapFile['default'];
}

interface Resolved extends Omit<KeyTable, 'otherwise'> {
  /** The key files, by their paths. */
  readonly files: ReadonlyMap<string, KeyFile>;
}

interface KeyFile {
  /** Which file the path led to: a file that was renamed over another is a new one, one that was rewritten in place is not. */
  readonly identity: string;
  readonly key: string;
}

/** @param current the table as it is at the moment */
export const lookUpIn = (current: () => KeyTable | undefined): Omit<KeyMap, 'close'> => ({
  lookup: (v1Key) => {
    const table = current();
    return table?.keys.get(digest(v1Key)) ?? (table?.otherwise === 'same' ? v1Key : undefined);
  },
  beginningOf: (v2Key) => current()?.beginnings.get(v2Key),
});

interface KeyMapOptions {
  readonly logger: Logger;
  /** Milliseconds between two looks at the files. */
  readonly interval?: number;
  /** Is told of the table that is in force from now on. */
  readonly onTable?: ((table: KeyTable) => void) | undefined;
}

/**
 * Reads a key map and follows its changes and those of the files it names; a changed map that is broken leaves the last good one in force.
 * Changed environment variables are seen when the map is read again.
 * @throws KeyMapError when the map cannot be used at start
 */
export async function openKeyMap(file: string, { logger, interval, onTable }: KeyMapOptions): Promise<KeyMap> {
  const path = resolve(file);
  const watch = watchFiles([path], () => (loading = loading.then(reload, () => undefined)), interval);
  const load = async (): Promise<KeyTable & Resolved> => {
    const map = parseMap(path, await readMap(path));
    // Watched before they are read, so that no change falls between.
    watch.update([path, ...map.keys.flatMap(({ v2 }) => targetOf(path, v2) ?? [])]);
    const resolved = await resolveMap(path, map, table?.files);
    if (watch.isCurrent()) return { ...resolved, otherwise: map.default };
    throw new KeyMapError('KEY_MAP_CHANGING', path, 'it, or a file that it names, was written while it was read; wait until it is written');
  };
  let table: (KeyTable & Resolved) | undefined;
  const replace = async (): Promise<void> => {
    table = await load();
    onTable?.({ keys: table.keys, beginnings: table.beginnings, otherwise: table.otherwise });
    logger.info({ event: 'key_map_loaded', file: path, entries: table.keys.size }, 'Key map loaded');
  };
  const reload = (): Promise<void> =>
    replace().catch((error: unknown) => {
      if (!(error instanceof KeyMapError)) throw error;
      const { code, entry } = error;
      logger.warn(
        { event: 'key_map_rejected', code, file: path, entry },
        `${error.message}; until it changes again, the last good map stays in force`,
      );
    });
  let loading = replace();
  try {
    await loading;
  } catch (error) {
    watch.close();
    throw error;
  }
  return { ...lookUpIn(() => table), close: () => watch.close() };
}

async function readMap(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new KeyMapError('KEY_MAP_UNREADABLE', path, 'the file cannot be read; check the path and its permissions', { cause });
  });
}

/** @param before the key files as they were last used, where they were */
async function resolveMap(path: string, map: MapFile, before: Resolved['files'] = new Map()): Promise<Resolved> {
  const keys = new Map<string, string>();
  const beginnings = new Map<string, string>();
  const files = new Map<string, KeyFile>();
  const entries = new Map<string, number>();
  for (const [index, { v1, v2 }] of map.keys.entries()) {
    const entry = index + 1;
    const id = /^sha256:/i.test(v1) ? v1.slice('sha256:'.length).toLowerCase() : digest(v1);
    const earlier = entries.get(id);
    if (earlier !== undefined) {
      throw new KeyMapError('KEY_MAP_DUPLICATE', path, `its v1 key is that of entry ${earlier}, too; remove one of the two`, { entry });
    }
    entries.set(id, entry);
    const fault = (text: string, cause?: unknown): KeyMapError => new KeyMapError('KEY_MAP_UNRESOLVED', path, text, { cause, entry });
    const target = targetOf(path, v2);
    if (target === undefined) keys.set(id, resolveText(v2, fault));
    else {
      const file = await readKeyFile(target, before.get(target), fault);
      files.set(target, file);
      keys.set(id, file.key);
    }
    if (!/^sha256:/i.test(v1)) beginnings.set(keys.get(id) ?? '', v1.slice(0, shownOfKey));
  }
  return { keys, beginnings, files };
}

type MakeFault = (text: string, cause?: unknown) => KeyMapError;

function resolveText(v2: string, fault: MakeFault): string {
  if (!/^env:/i.test(v2)) return v2;
  const key = process.env[v2.slice('env:'.length)] ?? '';
  if (!credential.test(key)) throw fault('the environment variable that v2 names must hold the key; set it');
  return key;
}

async function readKeyFile(path: string, before: KeyFile | undefined, fault: MakeFault): Promise<KeyFile> {
  const { text, identity } = await readWithIdentity(path).catch((error: unknown) => {
    throw fault('the file that v2 names cannot be read; check its path and permissions', causeWithoutPath(error));
  });
  const key = text.replace(/\r?\n$/, '');
  if (!credential.test(key)) throw fault('the file that v2 names must hold the key alone, on one line');
  if (text === key && before?.identity === identity && before.key !== key) {
    throw fault('the file that v2 names was rewritten in place and may be half written; end its line, or rename a new file over it');
  }
  return { identity, key };
}

async function readWithIdentity(path: string): Promise<{ text: string; identity: string }> {
  await using handle = await open(path);
  const { dev, ino } = await handle.stat({ bigint: true });
  return { text: await handle.readFile('utf8'), identity: `${dev} ${ino}` };
}

/** The file that a v2 value names, if it names one; relative to the map's folder. */
function targetOf(path: string, v2: string): string | undefined {
  return /^file:/i.test(v2) ? resolve(dirname(path), v2.slice('file:'.length)) : undefined;
}

/** Names of files and variables may be keys that were written in the wrong place. */
function causeWithoutPath(error: unknown): Error {
  return new Error(error instanceof Error && 'code' in error ? String(error.code) : 'unknown');
}

/** SHA-256 in hex. It takes 0.2 µs, so the hot path needs no cache, which would have to hold keys in the clear. */
function digest(key: string): string {
  return crypto.hash('sha256', key);
}
