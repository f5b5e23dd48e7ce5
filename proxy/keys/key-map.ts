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
 * No key gets into an error or the log: messages are made of file names, places and numbers, never of the text of the map,
 * so causes are not the parsers' own errors (those quote what they could not read).
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Logger } from 'pino';
import { parseDocument, type YAMLError } from 'yaml';
import { z } from 'zod';
import { watchFiles } from '../watch.ts';

export interface KeyMap {
  /** The v2 key that stands for a v1 key; undefined where the map has none, and v1 would say that the key is invalid. */
  lookup(v1Key: string): string | undefined;
  /** Stops to watch the files. */
  close(): void;
}

export type KeyMapErrorCode =
  /** The file cannot be read. */
  | 'KEY_MAP_UNREADABLE'
  /** It is neither JSON nor YAML. */
  | 'KEY_MAP_SYNTAX'
  /** It does not have the form above. */
  | 'KEY_MAP_INVALID'
  /** Two entries name one v1 key. */
  | 'KEY_MAP_DUPLICATE'
  /** The environment variable or file of an entry holds no usable key. */
  | 'KEY_MAP_UNRESOLVED';

export class KeyMapError extends Error {
  readonly code: KeyMapErrorCode;
  readonly file: string;
  /** The entry at fault, counted from 1. */
  readonly entry: number | undefined;
  constructor(code: KeyMapErrorCode, file: string, text: string, { cause, entry }: { cause?: unknown; entry?: number | undefined } = {}) {
    super(`Key map ${file}${entry === undefined ? '' : `, entry ${entry}`}: ${text}`, { cause });
    this.name = 'KeyMapError';
    this.code = code;
    this.file = file;
    this.entry = entry;
  }
}

/** What can be sent as a Bearer credential (RFC 6750 §2.1 allows a little less; the API's alphabet is not shown). */
const credential = /^[\x21-\x7e]+$/;

const mapSchema = z.strictObject({
  keys: z.array(
    z.strictObject({
      v1: z.string().regex(/^(sha256:[0-9a-f]{64}|(?!sha256:)[\x21-\x7e]+)$/i),
      v2: z.string().regex(/^(env:[a-z_]\w*|file:.+|(?!env:|file:)[\x21-\x7e]+)$/i),
    }),
  ),
  default: z.enum(['same', 'reject']).default('reject'),
});
type MapFile = z.infer<typeof mapSchema>;

const remedies: Readonly<Record<string, string>> = {
  v1: 'v1 must be text: the key itself, or sha256: and the 64 hex digits of its SHA-256',
  v2: 'v2 must be text: the key itself, env:NAME or file:PATH',
  default: 'default must be same or reject',
};

interface Table {
  /** v2 keys by the SHA-256 of the v1 key: no v1 key is kept, and how long a look-up takes says nothing about one. */
  readonly keys: ReadonlyMap<string, string>;
  readonly unlisted: MapFile['default'];
}

/**
 * Reads a key map and follows its changes and those of the files it names; a changed map that is broken leaves the last good one in force.
 * Changed environment variables are seen when the map is read again.
 * @param interval milliseconds between two looks at the files
 * @throws KeyMapError when the map cannot be used at start
 */
export async function openKeyMap(file: string, { logger, interval }: { logger: Logger; interval?: number }): Promise<KeyMap> {
  const path = resolve(file);
  const watch = watchFiles([path], () => (loading = loading.then(reload, () => undefined)), interval);
  const load = async (): Promise<Table> => {
    const map = parseMap(path, await readMap(path));
    // Watched before they are read, so that no change falls between.
    watch.update([path, ...map.keys.flatMap(({ v2 }) => targetOf(path, v2) ?? [])]);
    return resolveMap(path, map);
  };
  let table: Table;
  const replace = async (): Promise<void> => {
    table = await load();
    logger.info({ event: 'key_map_loaded', file: path, entries: table.keys.size }, 'Key map loaded');
  };
  const reload = (): Promise<void> =>
    replace().catch((error: unknown) => {
      if (!(error instanceof KeyMapError)) throw error;
      const { code, entry } = error;
      logger.warn({ event: 'key_map_rejected', code, file: path, entry }, `${error.message}; the last good map stays in force`);
    });
  let loading = replace();
  try {
    await loading;
  } catch (error) {
    watch.close();
    throw error;
  }
  return {
    lookup: (v1Key) => table.keys.get(digest(v1Key)) ?? (table.unlisted === 'same' ? v1Key : undefined),
    close: () => watch.close(),
  };
}

async function readMap(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new KeyMapError('KEY_MAP_UNREADABLE', path, 'the file cannot be read; check the path and its permissions', { cause });
  });
}

function parseMap(path: string, text: string): MapFile {
  const result = mapSchema.safeParse(parseText(path, text));
  if (result.success) return result.data;
  throw invalid(path, result.error.issues[0]);
}

/** YAML 1.2 includes JSON. */
function parseText(path: string, text: string): unknown {
  let fault: YAMLError | undefined;
  try {
    // At any other level, warnings go to stderr with the text they are about.
    const document = parseDocument(text, { logLevel: 'error' });
    [fault] = document.errors;
    if (!fault) return document.toJS();
  } catch {
    // An alias to nothing or to itself, or too many levels: the error names no place.
  }
  const at = fault?.linePos?.[0];
  const place = at ? `line ${at.line}, column ${at.col}` : 'the text';
  throw new KeyMapError('KEY_MAP_SYNTAX', path, `${place} is neither JSON nor YAML; correct it`, { cause: new Error(fault?.code) });
}

/** Says where the form is wrong and which form is right. zod's own texts quote names and values, which may be misplaced keys. */
function invalid(path: string, issue: z.core.$ZodIssue | undefined): KeyMapError {
  const [top, index, field] = issue?.path ?? [];
  const entry = top === 'keys' && typeof index === 'number' ? index + 1 : undefined;
  const text =
    entry === undefined
      ? (remedies[String(top)] ?? 'it must have keys, a list, and may have default; nothing else')
      : (remedies[String(field)] ?? 'it must have v1 and v2; nothing else');
  return new KeyMapError('KEY_MAP_INVALID', path, text, { cause: new Error(issue?.code), entry });
}

async function resolveMap(path: string, map: MapFile): Promise<Table> {
  const keys = new Map<string, string>();
  const entries = new Map<string, number>();
  for (const [index, { v1, v2 }] of map.keys.entries()) {
    const entry = index + 1;
    const id = /^sha256:/i.test(v1) ? v1.slice('sha256:'.length).toLowerCase() : digest(v1);
    const earlier = entries.get(id);
    if (earlier !== undefined) {
      throw new KeyMapError('KEY_MAP_DUPLICATE', path, `its v1 key is that of entry ${earlier}, too; remove one of the two`, { entry });
    }
    entries.set(id, entry);
    keys.set(id, await resolveV2(path, v2, entry));
  }
  return { keys, unlisted: map.default };
}

async function resolveV2(path: string, v2: string, entry: number): Promise<string> {
  const target = targetOf(path, v2);
  const unresolved = (text: string, cause?: unknown): KeyMapError => new KeyMapError('KEY_MAP_UNRESOLVED', path, text, { cause, entry });
  if (target !== undefined) {
    const text = await readFile(target, 'utf8').catch((error: unknown) => {
      throw unresolved('the file that v2 names cannot be read; check its path and permissions', causeWithoutPath(error));
    });
    const key = text.replace(/\r?\n$/, '');
    if (!credential.test(key)) throw unresolved('the file that v2 names must hold the key alone, on one line');
    return key;
  }
  if (!/^env:/i.test(v2)) return v2;
  const key = process.env[v2.slice('env:'.length)] ?? '';
  if (!credential.test(key)) throw unresolved('the environment variable that v2 names must hold the key; set it');
  return key;
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
  return hash('sha256', key);
}
