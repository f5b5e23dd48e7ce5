import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'config-'));
});
afterEach(() => rm(cwd, { recursive: true }));

async function load(flags: Readonly<Record<string, unknown>>, file: object = {}) {
  await writeFile(join(cwd, 'migrate-v2.config.json'), JSON.stringify(file));
  return loadSettings('report', { flags, env: {}, cwd });
}

const refusal = async (flags: Readonly<Record<string, unknown>>, file?: object): Promise<string> =>
  load(flags, file).then(
    () => 'accepted',
    (error: unknown) => String(error instanceof Error ? error.message : error),
  );

test('without flags the report speaks of the last 90 days of the store that the proxy writes', async () => {
  const { since, until, store, groupBy, format } = await load({});
  expect({ since, until, groupBy, format }).toEqual({
    since: { ago: 90 * 86_400_000 },
    until: undefined,
    groupBy: 'workspace',
    format: 'table',
  });
  expect(store).toBe('migrate-v2.usage.db');
});

describe('a point of time', () => {
  test.each([
    ['24h', { ago: 86_400_000 }],
    ['2026-11-01', { at: Date.UTC(2026, 10, 1) }],
    ['2026-11-01T12:30:00Z', { at: Date.UTC(2026, 10, 1, 12, 30) }],
    ['2026-11-01T12:30:00+02:00', { at: Date.UTC(2026, 10, 1, 10, 30) }],
  ])('can be %s', async (since, expected) => {
    expect((await load({ since })).since).toEqual(expected);
  });

  test.each(['90', 'yesterday', '0d', '2026-02-30', '2026-11-01T12:30', '-3d'])('cannot be %s', async (since) => {
    expect(await refusal({ since })).toBe(
      `--since: "${since}" is not a point of time: write 30d for 30 days ago, 2026-11-01 or 2026-11-01T12:00:00Z (from the command line)`,
    );
  });
});

describe('workspaces', () => {
  const acme = {
    name: 'Acme',
    keys: ['mk_acme_', 'hash:0123456789abcdef'],
    plan: 'Pro',
    owner: 'Ada',
    contact: 'ada@acme.test',
    note: 'x',
  };

  test('have a name and keys, and perhaps a plan and people', async () => {
    expect((await load({}, { workspaces: [acme, { name: 'Bolt', keys: ['mk_bolt'] }] })).workspaces).toEqual([
      acme,
      { name: 'Bolt', keys: ['mk_bolt'] },
    ]);
  });

  test.each([
    [{ Acme: ['mk_acme_'] }, /^workspaces: .* is not a list of workspaces/],
    [[acme, 'Bolt'], /^workspaces: "Bolt" is not a table: each workspace is one/],
    [[{ name: 'Bolt' }], /^workspaces\[0\]\.keys: is required for each workspace/],
    [[acme, { keys: ['b'] }], /^workspaces\[1\]\.name: is required for each workspace/],
    [[{ ...acme, plan: 'Gold' }], /^workspaces\[0\]\.plan: "Gold" is not one of Free, Starter/],
    [[{ ...acme, ownr: 'Ada' }], /^workspaces\[0\]\.ownr: unknown property of a workspace; did you mean owner\?/],
    [[{ ...acme, keys: [] }], /^workspaces\[0\]\.keys: must name at least one key/],
    [[{ ...acme, keys: ['hash:123'] }], /^workspaces\[0\]\.keys: is not the hash of a key: write hash: and the 16 hexadecimal digits/],
    [[acme, { name: 'Acme', keys: ['b'] }], /^workspaces: the workspace "Acme" stands here twice/],
    [[acme, { name: 'Bolt', keys: ['mk_acme_'] }], /^workspaces: the key "mk_acme_" stands here twice/],
  ])('%j are refused', async (workspaces, message) => {
    expect(await refusal({}, { workspaces })).toMatch(message);
  });
});

describe('a whole key that stands in the wrong place', () => {
  const key = 'ak_78486f263949a38c3125c173';
  const digits = 1_234_567_890_123_456;

  test.each([
    [{ workspaces: [{ name: 'Acme', keys: [key, key] }] }, /^workspaces: the key "ak_78486…" stands here twice/],
    [{ workspaces: [{ name: 'Acme', keys: key }] }, /^workspaces\[0\]\.keys: "ak_78486…" is not a list of key prefixes and hashes/],
    [{ workspaces: [{ name: 'Acme', keys: [{ [key]: 'x' }] }] }, /^workspaces\[0\]\.keys: a table is not a text/],
    [{ workspaces: [{ name: 'Acme', keys: [digits] }] }, /^workspaces\[0\]\.keys: 12345678… is not a text/],
    [{ workspaces: [{ [key]: 'Acme' }] }, /^workspaces\[0\]\.ak_78486…: unknown property of a workspace/],
    [{ workspaces: [key] }, /^workspaces: "ak_78486…" is not a table: each workspace is one/],
    [{ workspaces: { Acme: [key] } }, /^workspaces: a table is not a list of workspaces/],
    [{ ignore: key }, /^ignore: "ak_78486…" is not a list of rules/],
    [{ ignore: { key } }, /^ignore: a table is not a list of rules/],
    [{ ignore: [key] }, /^ignore: "ak_78486…" is not a table: each rule is one/],
    [{ ignore: [{ reason: 'x', key: [key] }] }, /^ignore\[0\]\.key: a list is not a text/],
    [{ ignore: [{ reason: 'x', key: digits }] }, /^ignore\[0\]\.key: 12345678… is not a text/],
    [{ ignore: [{ [key]: 'x' }] }, /^ignore\[0\]\.ak_78486…: unknown property of a rule/],
  ])('%j is told of by its first characters', async (file, message) => {
    const text = await refusal({}, file);
    expect(text).toMatch(message);
    expect(text).not.toMatch(/ak_78486f|123456789/);
  });

  test('its hash is not: it says where to look', async () => {
    const keys = ['hash:0123456789abcdef', 'hash:0123456789abcdef'];
    expect(await refusal({}, { workspaces: [{ name: 'Acme', keys }] })).toMatch(/the key "hash:0123456789abcdef" stands here twice/);
  });
});

describe('what to ignore', () => {
  const rules = [
    { reason: 'our own check', client: 'k6', endpoint: 'GET /v1/messages' },
    { reason: 'scanner', network: '192.0.2.0/24', endpoint: 'unlisted' },
    { reason: 'tests', key: 'mk_test_', name: 'ci' },
  ];

  test('is a list of rules with a reason', async () => {
    expect((await load({}, { ignore: rules })).ignore).toEqual(rules);
  });

  test.each([
    [{ client: 'k6' }, /^ignore\[0\]\.reason: is required for each rule/],
    [{ reason: 'all' }, /^ignore\[0\]\.reason: says nothing of what to ignore; give one of client, name, key, network, endpoint/],
    [{ reason: 'x', key: 'mk_' }, /^ignore\[0\]\.key: means too many keys: give at least 4 characters/],
    [{ reason: 'x', network: '192.0.2.0/33' }, /^ignore\[0\]\.network: "192.0.2.0\/33" is not a network/],
    [
      { reason: 'x', network: '192.0.2.7/32' },
      /is not a network: write 192.0.2.0\/24 or 2001:db8::\/48, as the record knows no smaller ones/,
    ],
    [
      { reason: 'x', endpoint: 'GET /v1/message' },
      /^ignore\[0\]\.endpoint: "GET \/v1\/message" is not a v1 endpoint; did you mean GET \/v1\/messages\?/,
    ],
  ])('%j is refused', async (rule, message) => {
    expect(await refusal({}, { ignore: [rule] })).toMatch(message);
  });
});

test('the proxy knows the same workspaces, so that it can label what it records', async () => {
  await writeFile(join(cwd, 'migrate-v2.config.json'), JSON.stringify({ workspaces: [{ name: 'Acme', keys: ['mk_acme_'] }] }));
  const { workspaces } = await loadSettings('proxy', { flags: { sandbox: true }, env: {}, cwd });
  expect(workspaces).toEqual([{ name: 'Acme', keys: ['mk_acme_'] }]);
});

test.each([
  [{ store: 'none' }, '--store: is none, and there is no report without a record'],
  [{ watch: true, check: true }, '--watch: excludes --check'],
  [{ watch: true, out: 'report.txt' }, '--watch: excludes --out'],
  [{ watch: true, format: 'html' }, '--watch: goes with --format table alone'],
])('%j is refused', async (flags, message) => {
  expect(await refusal(flags)).toContain(message);
});

describe('the digest', () => {
  const url = 'https://hooks.slack.com/services/T0/B0/secretsecret';

  test('takes the address of a webhook, and when to post what', async () => {
    const given = { digest: true, post: url, 'post-as': 'teams', 'post-if': 'changed' };
    expect(await load(given)).toMatchObject({ digest: true, post: url, postAs: 'teams', postIf: 'changed', format: 'table' });
  });

  test.each([
    [{ post: url }, '--post: is for the digest; give --digest as well'],
    [{ 'post-as': 'slack' }, '--post-as: is for the digest; give --digest and --post as well'],
    [{ 'post-if': 'changed' }, '--post-if: is for the digest; give --digest and --post as well'],
    [{ digest: true, 'post-as': 'slack' }, '--post-as: says what --post sends; give that as well'],
    [{ digest: true, 'post-if': 'changed' }, '--post-if: says when --post sends; give that as well'],
    [{ digest: true, format: 'csv' }, '--format: has no digest; it is markdown or json'],
    [{ digest: true, format: 'table' }, '--format: has no digest; it is markdown or json'],
    [{ digest: true, 'group-by': 'client' }, '--group-by: is not for the digest; leave it out'],
    [{ digest: true, since: '7d' }, '--since: is not for the digest, which tells of a week; leave it out'],
    [{ digest: true, code: ['findings.json'] }, '--code: is not for the digest; leave it out'],
    [{ digest: true, watch: true }, '--watch: excludes --digest, which is told once; leave one of them out'],
    [{ digest: true, post: 'hooks.slack.com/secretsecret' }, '--post: is not an http(s) URL'],
    [{ digest: true, post: 'ftp://example.com/secretsecret' }, '--post: is not an http(s) URL'],
    [{ digest: true, post: 'https://user:secretsecret@example.com/' }, '--post: must not hold a user name or password'],
    [{ digest: true, post: 'env:NOT_SET' }, '--post: the environment variable NOT_SET is not set'],
  ])('does not take %j, and no message shows the address', async (flags, message) => {
    expect(await refusal(flags)).toBe(`${message} (from the command line)`);
  });

  test('takes a configuration that says how far other reports go back', async () => {
    expect(await load({ digest: true }, { report: { since: '30d' } })).toMatchObject({ digest: true });
  });
});
