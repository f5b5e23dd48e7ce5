/** What may stand under `budget`, and what is said of the rest. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { policies } from '../../src/budget/policy.ts';
import { loadSettings } from '../../src/config/load.ts';
import { budget } from '../../src/config/types-budget.ts';
import { behaviours } from '../budget/behaviours/behaviours.ts';
import { openDocument } from '../docs/document.ts';

async function load(budget: unknown) {
  const cwd = await mkdtemp(join(tmpdir(), 'budget-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const workspaces = [{ name: 'Acme', keys: ['ak_acme_'] }];
  const file = { v2Base: 'https://v2.example.com', workspaces, budget };
  await writeFile(join(cwd, 'migrate-v2.config.json'), JSON.stringify(file));
  return (await loadSettings('proxy', { flags: {}, env: {}, cwd })).budget;
}

test('without settings half of an hour is kept for writes, reads in flight are asked once, and nothing is used again', async () => {
  const { reserve, coalesce, reuse, pace, final, enabled } = await load(undefined);
  expect({ reserve, coalesce, reuse, sends: pace.sends, states: final.states, enabled }).toEqual({
    reserve: 0.5,
    coalesce: true,
    reuse: {},
    sends: 0,
    states: [],
    enabled: true,
  });
});

test('what a workspace has of its own stands before what holds for all', async () => {
  const given = {
    reserve: '30%',
    reuse: { getMessage: '5s' },
    pace: { sends: '20s' },
    workspaces: { Acme: { limit: 250, reserve: '80%' } },
  };
  const policyOf = policies(await load(given));
  expect(policyOf('Acme')).toMatchObject({ limit: 250, reserve: 0.8, reuse: { getMessage: 5_000 }, pace: { sends: 20_000, waiting: 100 } });
  expect(policyOf(null)).toMatchObject({ limit: undefined, reserve: 0.3 });
});

test('states alone are final for an hour', async () => {
  expect((await load({ final: ['DELIVERED', 'FAILED'] })).final).toEqual({ states: ['DELIVERED', 'FAILED'], for: 3_600_000 });
});

test('false leaves counting alone', async () => {
  expect((await load(false)).enabled).toBe(false);
});

describe('not accepted', () => {
  test.each([
    ['a limit of 0', { limit: 0 }, /limit: 0 is not a number of calls an hour/],
    ['a limit below 0', { limit: -100 }, /limit: -100 is not/],
    ['a limit of 10^12', { limit: 1e12 }, /limit: 1000000000000 is not/],
    ['a limit that is no whole number', { limit: 1.5 }, /limit: 1\.5 is not/],
    ['a reserve beyond everything', { reserve: '120%' }, /reserve: "120%" is not a share/],
    ['an endpoint that there is not', { reuse: { getMesage: '5s' } }, /unknown v1 endpoint.*did you mean getMessage/s],
    ['a reuse of days', { reuse: { getMessage: '2d' } }, /"2d" is not a time up to 1h/],
    ['a pace that no client would wait for', { pace: { sends: '10m' } }, /"10m" is not a time up to 1m/],
    ['a workspace that there is not', { workspaces: { Acne: { reserve: 10 } } }, /the workspace "Acne".*did you mean Acme/],
    ['another property', { reserv: 10 }, /unknown property of budget; did you mean reserve/],
    ['a text', 'on', /"on" is not true, false, nor a table/],
    ['a text for a workspace', { workspaces: { Acme: 'off' } }, /"off" is not a table/],
    ['reuse of what writes', { reuse: { sendMessage: '5s' } }, /sendMessage: writes, and every write is sent/],
    ['coalescing of what writes', { coalesce: { createContact: true } }, /createContact: writes/],
  ])('is %s', async (_, budget, problem) => {
    await expect(load(budget)).rejects.toThrow(problem);
  });
});

describe('docs/budget.md', () => {
  const sections = [...openDocument('docs/budget.md').text.matchAll(/^### (.+)\n[^]*?```yaml\n([^]*?)```$/gm)];
  const examples = sections.map(([, name = '', yaml = '']) => [name, yaml] as const);

  test.each(examples)('has a configuration for %s that is one, and the one of its table', async (name, yaml) => {
    const cwd = await mkdtemp(join(tmpdir(), 'budget-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await writeFile(join(cwd, 'migrate-v2.config.yaml'), yaml);
    const loaded = await loadSettings('proxy', { flags: { 'v2-base': 'https://v2.example.com' }, env: {}, cwd });
    expect(loaded.budget).toEqual(budget.parse(behaviours.find((behaviour) => behaviour.name === name)?.settings));
  });

  test('has one for each behaviour', () => {
    expect(examples.map(([name]) => name)).toEqual(behaviours.map(({ name }) => name));
  });
});
