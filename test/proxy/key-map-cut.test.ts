import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { KeyMapError } from '../../proxy/keys/error.ts';
import { type KeyMap, openKeyMap } from '../../proxy/keys/key-map.ts';
import { LogLines } from '../helpers/proxy.ts';

const [first, second] = [
  { v1: 'k_live_1f6a0c', v2: 'sk_live_aa11' },
  { v1: 'k_live_77d2e9', v2: 'sk_live_bb22' },
];
const unlisted = 'k_live_0b5c48';
const entries = `  - v1: ${first.v1} # old\n    v2: ${first.v2}\n  - v1: ${second.v1}\n    v2: ${second.v2}\n`;

/** Maps with the same two entries, in every form that shows its end. */
const whole: Readonly<Record<string, string>> = {
  'YAML that ends with its default': `keys:\n${entries}default: reject\n`,
  'YAML that ends with the default that sends v1 keys': `keys:\n${entries}default: same\n`,
  'YAML that begins with that default and ends with a marker': `default: same\nkeys:\n${entries}...\n`,
  'YAML with lines of Windows': `default: same\nkeys:\n${entries}...\n`.replaceAll('\n', '\r\n'),
  'YAML with a marker before a comment': `# ours\n---\nkeys:\n${entries}... # the end\n`,
  'YAML with a list in brackets': `default: same\nkeys: [ { v1: ${first.v1}, v2: ${first.v2} }, { v1: "${second.v1}", v2: ${second.v2} } ]\n`,
  'YAML with a list in brackets before the default': `keys: [ { v1: ${first.v1}, v2: ${first.v2} }, { v1: ${second.v1}, v2: ${second.v2} } ]\ndefault: same\n`,
  'JSON on one line': JSON.stringify({ default: 'same', keys: [first, second] }),
  'JSON on many lines': `${JSON.stringify({ keys: [first, second], default: 'same' }, null, 2)}\n`,
};

let folder: string;
let file: string;
let log: LogLines;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-map-'));
  file = join(folder, 'map');
  log = new LogLines();
});
afterEach(() => rmSync(folder, { recursive: true }));

async function open(): Promise<KeyMap> {
  const map = await openKeyMap(file, { logger: log.logger, interval: 5 });
  onTestFinished(() => map.close());
  return map;
}

/** What would be sent to v2 for the two v1 keys. */
const sentFor = (map: KeyMap): unknown[] => [first, second].map(({ v1 }) => map.lookup(v1));

test('the forms above are cut at 1091 places', () => {
  expect(Object.values(whole).reduce((sum, text) => sum + text.length, 0)).toBe(1091);
});

test.each(Object.entries(whole))('%s: cut anywhere, it is refused at the start or says the same', async (_name, text) => {
  const results: unknown[] = [];
  for (let length = 0; length <= text.length; length++) {
    writeFileSync(file, text.slice(0, length));
    const map = await openKeyMap(file, { logger: log.logger }).catch((error: unknown) => error);
    results.push(map instanceof KeyMapError ? map.code : [...sentFor(map as KeyMap), (map as KeyMap).lookup(unlisted)]);
    if (!(map instanceof KeyMapError)) (map as KeyMap).close();
  }
  const said = [first.v2, second.v2, text.includes('same') ? unlisted : undefined];
  expect(results.at(-1)).toEqual(said);
  const kinds = new Set(results.map((result) => JSON.stringify(result)));
  for (const refusal of ['KEY_MAP_SYNTAX', 'KEY_MAP_INVALID', 'KEY_MAP_INCOMPLETE']) kinds.delete(JSON.stringify(refusal));
  expect([...kinds]).toEqual([JSON.stringify(said)]);
});

test('a map that does not show its end is refused at the start, and told how to', async () => {
  writeFileSync(file, `keys:\n${entries}`);
  await expect(open()).rejects.toMatchObject({ code: 'KEY_MAP_INCOMPLETE', message: expect.stringContaining('"..."') });
});

describe('a map that is written in pieces', () => {
  test.each([
    ['within a key', `keys:\n${entries}default: reject\n`, first.v2.slice(0, -3)],
    ['before an entry', `default: same\nkeys:\n${entries}...\n`, `  - v1: ${second.v1}`],
  ])('and rests %s leaves the old one in force until it is whole', async (_name, text, mark) => {
    const before = JSON.stringify({ keys: [first, second].map(({ v1 }, i) => ({ v1, v2: `old-${i}` })), default: 'reject' });
    writeFileSync(file, before);
    const map = await open();
    const cut = text.indexOf(mark) + (mark.startsWith(' ') ? 0 : mark.length);
    writeFileSync(file, text.slice(0, cut));
    expect(await log.waitFor('key_map_rejected')).toMatchObject([{ level: 40, code: 'KEY_MAP_INCOMPLETE', file }]);
    expect(sentFor(map)).toEqual(['old-0', 'old-1']);
    appendFileSync(file, text.slice(cut));
    await log.waitFor('key_map_loaded', 2);
    expect(sentFor(map)).toEqual([first.v2, second.v2]);
  });
});

describe('a key file that is rewritten', () => {
  const longer = 'sk_live_cc33';
  const writeBoth = (): void => {
    writeFileSync(file, JSON.stringify({ keys: [{ v1: first.v1, v2: 'file:key' }] }));
    writeFileSync(join(folder, 'key'), 'old');
  };
  const key = (map: KeyMap): unknown => map.lookup(first.v1);

  test('in place is not used before its line has ended', async () => {
    writeBoth();
    const map = await open();
    writeFileSync(join(folder, 'key'), longer.slice(0, -2));
    expect(await log.waitFor('key_map_rejected')).toMatchObject([{ code: 'KEY_MAP_UNRESOLVED', entry: 1 }]);
    expect(key(map)).toBe('old');
    appendFileSync(join(folder, 'key'), `${longer.slice(-2)}\n`);
    await log.waitFor('key_map_loaded', 2);
    expect(key(map)).toBe(longer);
  });

  test('by a rename needs no line', async () => {
    writeBoth();
    const map = await open();
    writeFileSync(join(folder, 'new'), longer);
    renameSync(join(folder, 'new'), join(folder, 'key'));
    await log.waitFor('key_map_loaded', 2);
    expect(key(map)).toBe(longer);
  });

  test('in place with what it held is as it was', async () => {
    writeBoth();
    const map = await open();
    writeFileSync(join(folder, 'key'), 'old');
    await log.waitFor('key_map_loaded', 2);
    expect(key(map)).toBe('old');
  });
});
