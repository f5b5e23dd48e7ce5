import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { releaseRules, resumeRollout, stopBrownouts, stopRollout } from '../../../src/cli/rollout/act.ts';
import { explainRollout } from '../../../src/cli/rollout/show.ts';
import { loadSettings } from '../../../src/config/load.ts';
import { callerId } from '../../../src/usage/caller-id.ts';
import { keyFingerprinter } from '../../../src/usage/key-fingerprint.ts';
import type { Step } from '../../../src/usage/model.ts';
import { openReader } from '../../../src/usage/store/open.ts';
import { batchOf } from '../../usage/rows.ts';
import { newFolder } from '../report/stores.ts';
import { type Ended, useCommandLine } from '../run.ts';
import { openWriterHere } from '../../helpers/writer-here.ts';

const run = useCommandLine();

const key = 'ak_acme_live_0123456789';
const dayAfter = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const brownoutDay = dayAfter(10);
const config = {
  store: 'usage.db',
  // Commands go by the real time: whenever they run, the sunset is to come.
  assumptions: { sunsetAt: `${dayAfter(60)}T00:00:00Z` },
  workspaces: [{ name: 'Acme', keys: ['ak_acme_'] }],
  rollout: {
    rules: [
      { name: 'moved', stage: 'translate', match: { workspace: 'Acme', endpoint: 'GET /v1/contacts' }, fallback: { to: 'compare' } },
      { name: 'rest', stage: 'observe' },
    ],
    brownouts: [{ name: 'december', at: `${brownoutDay}T10:00:00Z`, for: '10m' }],
  },
};

interface Folder {
  readonly cwd: string;
  readonly store: string;
  readonly rollout: (...args: readonly string[]) => Promise<Ended>;
  /** What the record has of what happened. */
  readonly steps: () => Promise<readonly Step[]>;
}

/** A folder with a configuration and a record: a few calls of an hour ago, and the steps. */
async function folderWith({ given = config as object, steps = [] as readonly (readonly [Step['kind'], string])[] } = {}): Promise<Folder> {
  const cwd = newFolder();
  const store = join(cwd, 'usage.db');
  writeFileSync(join(cwd, 'migrate-v2.config.json'), JSON.stringify(given));
  const writer = openWriterHere(store);
  const { hash, prefix } = keyFingerprinter(writer.hashSecret)(key);
  const at = Date.now() - 3_600_000;
  const caller = { keyHash: hash, keyPrefix: prefix, workspace: 'Acme', client: 'axios/1.7.2', name: null };
  const counts = { calls: 3, v2Calls: 3, repeats: 0, duration: 5, longest: 5, first: at, last: at };
  const kind = { endpoint: 'GET /v1/contacts', method: 'GET', status: 200, outcome: 'translated' } as const;
  await writer.write(
    batchOf([{ minute: Math.floor(at / 60_000), caller: { id: callerId(caller), ...caller }, kind, counts }], { clock: at }),
  );
  for (const [kind, rule] of steps)
    await writer.note({ id: `${kind} ${rule}`, at, replica: 'one', kind, rule, detail: '7 of 9 calls failed' });
  await writer.close();
  return {
    cwd,
    store,
    rollout: (...args) => run(['rollout', ...args], { cwd, env: { MIGRATE_V2_STORE: '', ACME_KEY: key } }),
    async steps() {
      const reader = await openReader(store);
      const all = await reader.steps();
      await reader.close();
      return all;
    },
  };
}

describe('migrate-v2 rollout', () => {
  test('prints the rules, the calls of the last day under each, and what happened', async () => {
    const { rollout } = await folderWith({ steps: [['tripped', 'moved']] });
    const { code, stdout, stderr } = await rollout();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Roll-out on [-\d]+ [:\d]+ UTC\n/);
    expect(stdout).toMatch(/^The rule "moved" is taken back to compare since .*: 7 of 9 calls failed; until somebody releases it\.$/m);
    expect(stdout).toMatch(
      /^moved +translate +compare \(taken back\) +workspace Acme; GET \/v1\/contacts +back to compare at .* 3 +1 +1 +0$/m,
    );
    expect(stdout).toMatch(/^rest +observe +observe +every call .* 0 +0 +0 +0$/m);
    expect(stdout).toContain(`\n  - december: next ${brownoutDay} 10:00 to 10:10 UTC\n`);
    expect(stdout).toMatch(/taken back by its guard +moved +one +7 of 9 calls failed$/m);
  });

  test('gives the same as JSON', async () => {
    const { rollout } = await folderWith({ steps: [['stopped', '']] });
    const { stdout } = await rollout('--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      proxy: null,
      stopped: { replica: 'one' },
      rules: [
        { name: 'moved', stage: 'translate', inForce: 'observe', because: 'stopped', use: { calls: 3, clients: 1, keys: 1, errors: 0 } },
        { name: 'rest' },
      ],
      unmatched: { use: { calls: 0 } },
      steps: [{ kind: 'stopped' }],
    });
  });

  test('reads the rules also from the section of the proxy, and without a record counts nothing', async () => {
    const { rollout } = await folderWith({ given: { assumptions: config.assumptions, proxy: { store: 'none', rollout: config.rollout } } });
    const { code, stdout } = await rollout();
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing is recorded');
    expect(stdout).not.toContain('Calls  ');
  });
});

describe('migrate-v2 rollout explain', () => {
  test('says which rule holds for a key that is given by a variable, and never shows it', async () => {
    const { rollout } = await folderWith();
    const { code, stdout } = await rollout('explain', '--key', 'env:ACME_KEY', '--endpoint', 'POST /v1/messages/send');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^POST \/v1\/messages\/send with the key ak_acme… \(hash:[0-9a-f]{16}\) of Acme, at [\d.]+% of the keys$/m);
    expect(stdout).toMatch(/^moved +GET \/v1\/contacts +POST \/v1\/messages\/send$/m);
    expect(stdout).toContain('The rule "rest" holds, which is for every call: observe.');
    expect(stdout).toContain(`"december" refuses it: next ${brownoutDay} `);
    expect(stdout).not.toContain(key);
  });

  test('finds of a hash in the record whose it is', async () => {
    const { rollout, store } = await folderWith();
    const reader = await openReader(store);
    const { hash } = keyFingerprinter(reader.hashSecret)(key);
    await reader.close();
    const { stdout } = await rollout('explain', '--key', `hash:${hash}`, '--endpoint', 'GET /v1/contacts', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ asked: { workspace: 'Acme', keyPrefix: 'ak_acme' }, rule: 'moved', inForce: 'translate' });
    expect(stdout).not.toContain(key);
  });
});

describe('migrate-v2 rollout stop, resume, release and stop-brownout', () => {
  test('note a step each, and say what follows', async () => {
    const { rollout, steps } = await folderWith({ steps: [['tripped', 'moved']] });
    const said: string[] = [];
    for (const args of [['stop'], ['stop'], ['resume'], ['release', 'moved'], ['stop-brownout', 'december']]) {
      const { code, stdout, stderr } = await rollout(...args);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      said.push(stderr);
    }
    const follow = 'Every proxy of this record follows within seconds';
    expect(said).toEqual([
      `Stopped: v1 answers every call, until migrate-v2 rollout resume. ${follow}\n`,
      expect.stringMatching(/^Stopped already since [-\d]+ [:\d]+ UTC: v1 answers every call\n$/),
      `Resumed: the rules hold again. ${follow}. Still taken back: moved\n`,
      `Released: "moved". ${follow}\n`,
      `Stopped for good: "december". Nobody is refused there any more. ${follow}\n`,
    ]);
    expect((await steps()).map(({ kind, rule, replica }) => `${replica}: ${kind} ${rule}`)).toEqual([
      'one: tripped moved',
      'command line: stopped ',
      'command line: resumed ',
      'command line: released moved',
      'command line: brownout-stopped december',
    ]);
  });
});

const actions = {
  stop: stopRollout,
  resume: resumeRollout,
  release: releaseRules,
  'stop-brownout': stopBrownouts,
  explain: explainRollout,
};

describe('what cannot be is refused in one line, and notes nothing', () => {
  test.each<[keyof typeof actions, object, string]>([
    ['resume', {}, 'rollout resume: nothing is stopped; migrate-v2 rollout shows what is in force'],
    ['release', {}, 'rollout release: needs the names of rules; migrate-v2 rollout shows them'],
    ['release', { names: ['moved', 'rest'] }, 'rollout release rest: it is not taken back; taken back is moved'],
    ['release', { names: ['nope'] }, 'rollout release nope: the configuration has no such rule; taken back is moved'],
    ['stop-brownout', { names: ['may'] }, 'rollout stop-brownout may: the configuration has no such brownout; there is december'],
    ['explain', {}, "--endpoint: is required: an endpoint of v1 such as 'GET /v1/messages/:id', or unlisted"],
    ['explain', { endpoint: 'unlisted' }, '--method: is required with --endpoint unlisted'],
    [
      'stop',
      { store: 'none' },
      '--store: is none, and proxies follow what the record says; give their store, or ask each by POST /rollout/… on its admin listener',
    ],
  ])('%s %j', async (action, flags, line) => {
    const { cwd, steps } = await folderWith({ steps: [['tripped', 'moved']] });
    const settings = await loadSettings('rollout', { flags: { ...flags }, env: {}, cwd });
    await expect(actions[action](settings)).rejects.toThrow(line);
    expect(await steps()).toHaveLength(1);
  });

  test('by the command line with 4: another word, a flag of explain, and a key in the clear, which is not repeated', async () => {
    const { rollout } = await folderWith();
    const refused = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await rollout(...args);
      expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
      return stderr;
    };
    expect(await refused('stpo')).toBe('migrate-v2: rollout stpo: no such command; did you mean stop?\n');
    expect(await refused('--key', 'env:ACME_KEY')).toBe('migrate-v2: --key: is for migrate-v2 rollout explain; leave it out\n');
    const clear = await refused('explain', '--key', key, '--endpoint', 'GET /v1/contacts');
    expect(clear).toMatch(/^migrate-v2: --key: must be hash: /);
    expect(clear).not.toContain(key);
  });

  test('a configuration without a roll-out, which can be stopped all the same', async () => {
    const { rollout } = await folderWith({ given: { store: 'usage.db' } });
    const { code, stderr } = await rollout();
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^migrate-v2: rollout: is not in the configuration, so that every call is translated; write rules below rollout in /,
    );
    expect((await rollout('stop')).stderr).toContain('This configuration has no rollout');
  });
});
