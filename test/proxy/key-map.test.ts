import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { KeyMapError } from '../../proxy/keys/error.ts';
import { type KeyMap, openKeyMap } from '../../proxy/keys/key-map.ts';

/** Part of every key in these tests: must never be seen in an error or in the log. */
const secret = 'SeCrEt';
const v1 = `v1-${secret}`;
const v2 = `v2-${secret}`;
const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');

const lineSchema = z.looseObject({ event: z.string(), level: z.number(), msg: z.string() });
type Line = z.infer<typeof lineSchema>;

let folder: string;
let file: string;
let opened: KeyMap[];
let lines: Line[];
let wake: () => void;
const logger = pino({ base: null }, { write: (text) => (lines.push(lineSchema.parse(JSON.parse(text))), wake()) });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-map-'));
  file = join(folder, 'map.yaml');
  [opened, lines, wake] = [[], [], () => {}];
});
afterEach(() => {
  for (const map of opened) map.close();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

async function open(map: unknown): Promise<KeyMap> {
  write(map);
  const opening = await openKeyMap(file, { logger, interval: 5 });
  opened.push(opening);
  return opening;
}

/** Replaces the map. JSON is YAML, too. */
function write(map: unknown): void {
  put('map.yaml', typeof map === 'string' ? map : JSON.stringify(map));
}

/** Replaces a file in one step, so that nobody reads half of it. */
function put(name: string, text: string): void {
  writeFileSync(join(folder, 'new'), text);
  renameSync(join(folder, 'new'), join(folder, name));
}

/** The n-th line of the log (from 0), once it is there. */
async function line(n: number): Promise<Line> {
  for (;;) {
    const found = lines[n];
    if (found) return found;
    await new Promise<void>((resolve) => (wake = resolve));
  }
}

async function refusal(map: unknown): Promise<KeyMapError> {
  const error: unknown = await open(map).catch((caught: unknown) => caught);
  if (!(error instanceof KeyMapError)) throw new Error('The map was not refused');
  return error;
}

describe('a v1 key is found', () => {
  test('when the map has it in the clear', async () => {
    const map = await open({ keys: [{ v1, v2 }] });
    expect(map.lookup(v1)).toBe(v2);
  });

  test('when the map has its SHA-256, in small letters or capitals', async () => {
    const other = `${v1}-2`;
    const map = await open({
      keys: [
        { v1: `sha256:${sha256(v1)}`, v2 },
        { v1: `SHA256:${sha256(other).toUpperCase()}`, v2: `${v2}-2` },
      ],
    });
    expect([map.lookup(v1), map.lookup(other)]).toEqual([v2, `${v2}-2`]);
  });

  test('in YAML with comments as in JSON with tabs', async () => {
    const yaml = await open(`# ours\nkeys:\n  - v1: ${v1} # old\n    v2: ${v2}\n...\n`);
    expect(yaml.lookup(v1)).toBe(v2);
    const json = await open(JSON.stringify({ keys: [{ v1, v2 }] }, null, '\t'));
    expect(json.lookup(v1)).toBe(v2);
  });
});

describe('a v2 key comes', () => {
  test('from an environment variable', async () => {
    vi.stubEnv('KEY_MAP_TEST', v2);
    const map = await open({ keys: [{ v1, v2: 'env:KEY_MAP_TEST' }] });
    expect(map.lookup(v1)).toBe(v2);
  });

  test.each(['', '\n', '\r\n'])('from a file beside the map that ends with %j', async (end) => {
    mkdirSync(join(folder, 'secrets'));
    put('secrets/acme key', v2 + end);
    const map = await open({ keys: [{ v1, v2: 'file:secrets/acme key' }] });
    expect(map.lookup(v1)).toBe(v2);
  });
});

describe('a v1 key that is not listed', () => {
  test('has no v2 key', async () => {
    const map = await open({ keys: [{ v1, v2 }] });
    expect(map.lookup(`${v1}x`)).toBeUndefined();
  });

  test('has no v2 key even when it is the digest of one that is', async () => {
    const map = await open({ keys: [{ v1, v2 }] });
    expect([map.lookup(sha256(v1)), map.lookup(`sha256:${sha256(v1)}`)]).toEqual([undefined, undefined]);
  });

  test('is its own v2 key where the default is same', async () => {
    const map = await open({ keys: [{ v1, v2 }], default: 'same' });
    expect([map.lookup('other'), map.lookup(v1)]).toEqual(['other', v2]);
  });
});

const entry = { v1, v2 };
/** Maps that are refused at start: what is wrong, the map, the code, and what the message names besides the file. */
const broken: [string, unknown, string, RegExp][] = [
  ['a string that never ends', `keys:\n  - v1: "${v1}\n    v2: ${v2}\n`, 'KEY_MAP_SYNTAX', /line \d+, column \d+/],
  ['JSON without a comma', `{"keys": [{"v1": "${v1}" "v2": "${v2}"}]}`, 'KEY_MAP_SYNTAX', /line 1, column \d+/],
  ['a member twice', `keys:\n  - v1: ${v1}\n    v1: ${v2}\n    v2: x\n`, 'KEY_MAP_SYNTAX', /line 3, column 5/],
  ['an alias to nothing', `keys:\n  - v1: *${secret}\n    v2: ${v2}\n`, 'KEY_MAP_SYNTAX', /the text/],
  ['YAML nested beyond any use', '['.repeat(20_000), 'KEY_MAP_SYNTAX', /the text|line/],
  ['an empty file', '', 'KEY_MAP_INVALID', /must have keys/],
  ['a list at the top', [entry], 'KEY_MAP_INVALID', /must have keys/],
  ['no keys', { default: 'same' }, 'KEY_MAP_INVALID', /must have keys/],
  ['a table for a name', `? { ${secret}: 1 }\n: 1\n`, 'KEY_MAP_INVALID', /must have keys/],
  ['a setting nobody knows', { keys: [entry], [secret]: 1 }, 'KEY_MAP_INVALID', /must have keys/],
  ['another default', { keys: [entry], default: secret }, 'KEY_MAP_INVALID', /same or reject/],
  ['an entry that is a text', { keys: [entry, secret] }, 'KEY_MAP_INVALID', /entry 2.*v1 and v2/],
  ['a key where v1 should stand', { keys: [{ [v1]: v2 }] }, 'KEY_MAP_INVALID', /entry 1/],
  ['a field nobody knows', { keys: [{ ...entry, [secret]: 1 }] }, 'KEY_MAP_INVALID', /entry 1.*v1 and v2/],
  ['a number for v1', { keys: [entry, { v1: 42, v2 }] }, 'KEY_MAP_INVALID', /entry 2.*v1 must be text/],
  ['a short digest', { keys: [{ v1: `sha256:${secret}`, v2 }] }, 'KEY_MAP_INVALID', /entry 1.*64 hex digits/],
  ['a space in v1', { keys: [{ v1: `${v1} `, v2 }] }, 'KEY_MAP_INVALID', /entry 1.*v1/],
  ['an empty v2', { keys: [{ v1, v2: '' }] }, 'KEY_MAP_INVALID', /entry 1.*v2 must be text/],
  ['a line break in v2', { keys: [{ v1, v2: `${v2}\r\nX: y` }] }, 'KEY_MAP_INVALID', /entry 1.*v2/],
  ['a letter outside ASCII in v2', { keys: [{ v1, v2: `${v2}é` }] }, 'KEY_MAP_INVALID', /entry 1.*v2/],
  ['one v1 key twice', { keys: [entry, { v1: 'x', v2 }, entry] }, 'KEY_MAP_DUPLICATE', /entry 3.*entry 1/],
  ['one v1 key in both forms', { keys: [entry, { v1: `sha256:${sha256(v1)}`, v2 }] }, 'KEY_MAP_DUPLICATE', /entry 2.*entry 1/],
  ['a variable that is not set', { keys: [{ v1, v2: `env:${secret}` }] }, 'KEY_MAP_UNRESOLVED', /entry 1.*environment variable/],
  ['a variable with two lines', { keys: [{ v1, v2: 'env:KEY_MAP_LINES' }] }, 'KEY_MAP_UNRESOLVED', /entry 1.*environment variable/],
  ['a file that is not there', { keys: [{ v1, v2: `file:${secret}` }] }, 'KEY_MAP_UNRESOLVED', /entry 1.*file.*cannot be read/],
  ['a file with two lines', { keys: [{ v1, v2: 'file:lines' }] }, 'KEY_MAP_UNRESOLVED', /entry 1.*one line/],
  ['an empty file for v2', { keys: [{ v1, v2: 'file:empty' }] }, 'KEY_MAP_UNRESOLVED', /entry 1.*one line/],
];

describe('a map is refused that has', () => {
  beforeEach(() => {
    vi.stubEnv('KEY_MAP_LINES', `${v2}\n${v2}`);
    put('lines', `${v2}\n${v2}\n`);
    put('empty', '\n');
  });

  test.each(broken)('%s', async (_what, map, code, text) => {
    const error = await refusal(map);
    expect(error).toMatchObject({ code, file });
    expect(error.message).toContain(file);
    expect(error.message).toMatch(text);
    expect(error.message).not.toContain('\n');
  });

  test.each(broken)('%s, without a word of the keys in it, also in the log', async (_what, map) => {
    const warnings = vi.spyOn(process, 'emitWarning');
    const error = await refusal(map);
    await open({ keys: [entry] });
    write(map);
    await line(1);
    expect(
      inspect(error, { depth: Infinity, showHidden: true }) + JSON.stringify(lines) + JSON.stringify(warnings.mock.calls),
    ).not.toContain(secret);
  });
});

test('a map that cannot be read is refused with the reason', async () => {
  const error: unknown = await openKeyMap(join(folder, 'none'), { logger }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'KEY_MAP_UNREADABLE', cause: { code: 'ENOENT' }, message: expect.stringContaining('none') });
});

test('a key that was given in place of a file is not shown', async () => {
  await expect(openKeyMap(join(folder, 'sk_live_0123456789abcdef'), { logger })).rejects.toThrow(/sk_live_…: the file cannot be read/);
});

describe('without a restart', () => {
  test('a changed map is read again, which the log tells', async () => {
    const map = await open({ keys: [{ v1, v2: 'one' }] });
    write({
      keys: [
        { v1, v2: 'two' },
        { v1: 'more', v2 },
      ],
    });
    expect(await line(1)).toMatchObject({ level: 30, event: 'key_map_loaded', file, entries: 2 });
    expect(map.lookup(v1)).toBe('two');
  });

  test('a key that left the map is no longer known', async () => {
    const map = await open({ keys: [entry] });
    write({ keys: [] });
    await line(1);
    expect(map.lookup(v1)).toBeUndefined();
  });

  test('a changed key file is read again', async () => {
    put('key', 'one\n');
    const map = await open({ keys: [{ v1, v2: 'file:key' }] });
    put('key', 'second\n');
    await line(1);
    expect(map.lookup(v1)).toBe('second');
  });

  test('a key file that a changed map names is followed, too', async () => {
    put('key', 'one\n');
    const map = await open({ keys: [] });
    write({ keys: [{ v1, v2: 'file:key' }] });
    await line(1);
    put('key', 'second\n');
    await line(2);
    expect(map.lookup(v1)).toBe('second');
  });

  test('a broken map leaves the old one in force, which the log says', async () => {
    const map = await open({ keys: [entry], default: 'same' });
    write({
      keys: [
        { v1, v2: 'new' },
        { v1: 1, v2 },
      ],
    });
    expect(await line(1)).toMatchObject({ level: 40, event: 'key_map_rejected', code: 'KEY_MAP_INVALID', file, entry: 2 });
    expect([map.lookup(v1), map.lookup('other')]).toEqual([v2, 'other']);
  });

  test('a removed map leaves the old one in force', async () => {
    const map = await open({ keys: [entry] });
    rmSync(file);
    expect(await line(1)).toMatchObject({ event: 'key_map_rejected', code: 'KEY_MAP_UNREADABLE' });
    expect(map.lookup(v1)).toBe(v2);
  });

  test('a map that was broken is taken once it is mended', async () => {
    const map = await open({ keys: [entry] });
    write('keys: [');
    expect(await line(1)).toMatchObject({ code: 'KEY_MAP_SYNTAX' });
    write({ keys: [{ v1, v2: 'mended' }] });
    await line(2);
    expect(map.lookup(v1)).toBe('mended');
  });

  test('a map is taken once the key file exists that it names', async () => {
    const map = await open({ keys: [entry] });
    write({ keys: [{ v1, v2: 'file:late' }] });
    expect(await line(1)).toMatchObject({ code: 'KEY_MAP_UNRESOLVED', entry: 1 });
    put('late', 'late-key');
    await line(2);
    expect(map.lookup(v1)).toBe('late-key');
  });
});
