import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readRollout } from '../../src/config/rollout-file.ts';
import { loadSettings } from '../../src/config/load.ts';
import { openDocument } from '../docs/document.ts';
import { LogLines } from '../helpers/proxy.ts';
import { followRollout } from '../../src/cli/rollout/follow.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rollout-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const sunset = Date.parse('2026-12-31T00:00:00Z');
const bases = {
  v1Base: 'https://v1.example.com',
  v2Base: 'https://v2.example.com',
  workspaces: [{ name: 'Acme', keys: ['ak_acme_'] }],
};
const load = async (rollout: unknown, more: object = bases) => {
  const cwd = await folderWith({ 'migrate-v2.config.json': JSON.stringify({ ...more, rollout }) });
  return loadSettings('proxy', { flags: {}, env: {}, cwd });
};

test('a roll-out is read with its defaults', async () => {
  const { rollout, v1Base } = await load({
    rules: [
      { name: 'acme', match: { workspace: 'Acme', percent: '10%' }, stage: 'translate', fallback: {} },
      { name: 'rest', match: { methods: ['GET'], endpoint: 'GET /v1/contacts', client: 'curl', keys: 'ak_' }, stage: 'compare' },
      { stage: 'refuse', until: '2026-12-01T00:00:00Z', status: 410 },
    ],
    brownouts: [{ name: 'one', at: '2026-12-01T10:00:00Z', for: '10m', every: '7d', exempt: ['Acme'] }],
    compare: { sample: 10, equal: [{ path: 'data[].createdAt', as: 'instant' }] },
  });
  expect(v1Base).toEqual(['https://v1.example.com']);
  expect(rollout).toEqual({
    rules: [
      {
        name: 'acme',
        match: { workspace: ['Acme'], percent: 0.1 },
        stage: 'translate',
        fallback: { errors: 0.05, over: 300_000, atLeast: 20, to: 'observe' },
      },
      { name: 'rest', match: { methods: ['GET'], endpoint: ['GET /v1/contacts'], client: ['curl'], keys: ['ak_'] }, stage: 'compare' },
      { name: 'rule 3', match: {}, stage: 'refuse', until: Date.parse('2026-12-01T00:00:00Z'), status: 410 },
    ],
    brownouts: [
      {
        name: 'one',
        match: {},
        exempt: ['Acme'],
        at: Date.parse('2026-12-01T10:00:00Z'),
        for: 600_000,
        every: 604_800_000,
        ramp: 0,
        status: 503,
      },
    ],
    compare: {
      sample: 0.1,
      concurrency: 8,
      share: 0.05,
      noise: { relative: 0.2, absolute: 0.0003 },
      equal: [{ path: 'data[].createdAt', as: 'instant' }],
    },
    atSunset: 'translate',
    announce: true,
  });
});

describe('a roll-out is refused', () => {
  const rule = (given: object) => ({ rules: [given] });
  const brownout = (...given: object[]) => ({ brownouts: given });
  const time = { name: 'x', at: '2026-12-01T10:00:00Z', for: '10m' };
  test.each<[string, unknown, RegExp]>([
    [
      'with a stage that is none',
      rule({ stage: 'mirror' }),
      /rollout.rules\[0\].stage: "mirror" is not one of observe, compare, translate, refuse/,
    ],
    ['with a rule without a stage', rule({ match: {} }), /rollout.rules\[0\].stage: is required/],
    ['with a misspelt name', rule({ stage: 'observe', match: { workspaces: 'Acme' } }), /workspaces: .*did you mean workspace/],
    [
      'with an endpoint that is none',
      rule({ stage: 'observe', match: { endpoint: 'GET /v1/contact' } }),
      /is not a v1 endpoint; did you mean/,
    ],
    ['with a share above all', rule({ stage: 'observe', match: { percent: '101%' } }), /percent: "101%" is not a share/],
    ['with a refusal without an end', rule({ stage: 'refuse' }), /until: is required to refuse/],
    [
      'with a guard of calls that v1 answers',
      rule({ name: 'a', stage: 'observe', fallback: {} }),
      /fallback: is for the stage translate alone/,
    ],
    [
      'with an end of a rule that does not refuse',
      rule({ stage: 'observe', until: '2026-12-01T00:00:00Z' }),
      /until: is for the stage refuse alone/,
    ],
    [
      'with two rules of one name',
      {
        rules: [
          { name: 'a', stage: 'observe' },
          { name: 'a', stage: 'observe' },
        ],
      },
      /"a" stands here twice/,
    ],
    [
      'with unknown keys of a workspace',
      rule({ stage: 'observe', match: { workspace: 'Acme', unknown: true } }),
      /unknown: excludes workspace/,
    ],
    ['with a brownout without an end', brownout({ name: 'x', at: time.at }), /for: is required for each brownout/],
    [
      'with two brownouts at once',
      brownout({ ...time, name: 'a' }, { ...time, name: 'b', at: '2026-12-01T10:09:59Z' }),
      /two brownouts would be on at once: "a".* and "b"/,
    ],
    ['with a brownout over itself', brownout({ ...time, every: '1h', for: '2h' }), /two brownouts would be on at once/],
    ['with a brownout that never rests', brownout({ ...time, every: '1m', for: '1s' }), /comes too often/],
    ['with a guard of a rule without a name', rule({ stage: 'translate', fallback: {} }), /name: is required with fallback/],
    [
      'with a workspace that there is not',
      rule({ stage: 'observe', match: { workspace: 'Acne' } }),
      /names the workspace "Acne", which is none of workspaces; did you mean Acme/,
    ],
    ['with an exempt workspace that there is not', brownout({ ...time, exempt: ['Acne'] }), /names the workspace "Acne"/],
    ['with another status', brownout({ ...time, status: 200 }), /status: 200 is not one of 410, 503/],
    ['that is a list', [{ stage: 'observe' }], /rollout: .* is not a table of/],
  ])('%s', async (_what, given, message) => {
    await expect(load(given)).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });

  test('without the address of v1', async () => {
    await expect(load(rule({ stage: 'observe' }), { v2Base: bases.v2Base })).rejects.toThrow(/^--v1-base: is required with rollout/);
    await expect(load(rule({ stage: 'observe' }), { ...bases, v1Base: ['https://a.example', 'https://b.example'] })).rejects.toThrow(
      /names several addresses/,
    );
  });

  test('with a share of keys whose hashes every start makes anew', async () => {
    const share = rule({ stage: 'observe', match: { percent: 10 } });
    await expect(load(share, { ...bases, store: 'none' })).rejects.toThrow(/^--hash-secret: is required where a rule names a percent/);
    await expect(load(share, { ...bases, store: 'none', hashSecret: 's' })).resolves.toBeDefined();
  });
});

test('several addresses of v1 in the file are no fault of a proxy that needs none', async () => {
  const cwd = await folderWith({
    'migrate-v2.config.json': JSON.stringify({ v2Base: bases.v2Base, v1Base: ['https://a.example', 'env:API_BASE'] }),
  });
  await expect(loadSettings('proxy', { flags: {}, env: {}, cwd })).resolves.toMatchObject({ v1Base: ['https://a.example'] });
});

test.each(
  openDocument('docs/rollout.md')
    .fenced('yaml')
    .map((text, index) => [index + 1, text]),
)('configuration %d of docs/rollout.md is one', async (_n, text) => {
  const cwd = await folderWith({ 'migrate-v2.config.yaml': String(text) });
  const flags = { 'v1-base': bases.v1Base, 'v2-base': bases.v2Base };
  const { rollout } = await loadSettings('proxy', { flags, env: {}, cwd });
  expect(rollout?.rules.length).toBeGreaterThan(0);
  const outcome = await readRollout(join(cwd, 'migrate-v2.config.yaml'), { cwd, workspaces: ['Acme', 'Bolt'], sunset }).then(
    () => 'taken',
    String,
  );
  expect(outcome).toMatch(String(text).trimEnd().endsWith('...') ? /^taken$/ : /let the last line/);
});

describe('a changed file', () => {
  const yaml = (stage: string, end: string): string => `v1Base: https://v1.example.com\nrollout:\n  rules:\n    - stage: ${stage}\n${end}`;

  test.each<[string, string, string, RegExp | undefined]>([
    ['in JSON is taken', 'a.json', '{"rollout": {"rules": [{"stage": "translate"}]}}', undefined],
    ['in JSON that is cut is not', 'a.json', '{"rollout": {"rules": [{"stage": "trans', /cannot be read/],
    ['in YAML with its end is taken', 'a.yaml', yaml('translate', '...\n'), undefined],
    [
      'in YAML without its end is not, as it may be half written',
      'a.yaml',
      yaml('translate', ''),
      /does not show that it is all of it.*let the last line of the file be \.\.\./,
    ],
    ['as a module is taken', 'a.js', 'export default { rollout: { rules: [{ stage: "translate" }] } };', undefined],
    ['without a roll-out is not', 'a.json', '{}', /rollout: is no longer there/],
    ['in the section of the proxy is taken', 'a.json', '{"proxy": {"rollout": {"rules": [{"stage": "translate"}]}}}', undefined],
    ['that is not valid is not', 'a.json', '{"rollout": {"rules": [{"stage": "no"}]}}', /rules\[0\].stage/],
  ])('%s', async (_what, name, text, refusal) => {
    const cwd = await folderWith({ [name]: text });
    const outcome = await readRollout(join(cwd, name), { cwd, workspaces: ['Acme'], sunset }).then(({ rules }) => rules[0]?.stage, String);
    expect(outcome).toMatch(refusal ?? /^translate$/);
  });

  test('is followed; what is broken leaves the rules as they were, and is said', async () => {
    const cwd = await folderWith({ 'migrate-v2.config.yaml': yaml('observe', '') });
    const path = join(cwd, 'migrate-v2.config.yaml');
    const log = new LogLines();
    const { rollout } = await loadSettings('proxy', { flags: { 'v2-base': bases.v2Base }, env: {}, cwd });
    if (rollout === undefined) throw new Error('The file has a roll-out');
    const rules = await followRollout({ rollout, config: undefined, cwd, workspaces: [], sunset, logger: log.logger, interval: 5 });
    onTestFinished(() => rules.close());
    await writeFile(path, yaml('transl', '...'));
    expect(await log.waitFor('rollout_rejected')).toMatchObject([
      { code: 'CONFIG_INVALID', msg: expect.stringMatching(/stage.*the rules stay as they were/) },
    ]);
    expect(rules.current.rules).toMatchObject([{ stage: 'observe' }]);
    await writeFile(path, yaml('translate', '...\n'));
    await log.waitFor('rollout_loaded');
    expect(rules.current.rules).toMatchObject([{ stage: 'translate' }]);
  });
});
