/** Whole applications with a truth about each of their sites, their own suites before and after, and the service asked by both. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../codemods/migrate.ts';
import { untidy } from '../helpers/process.ts';
import { type App, loadApps, outcomes, suspiciousPlaces, treeOfApp, truths } from './helpers/apps.ts';
import { hostsOf, readTree, v1BaseOf } from './helpers/fixtures.ts';
import { createIdentity, type Identity } from './helpers/service.ts';
import { compared, runOn, type Side, startSide, stopSide, usualHost } from './helpers/sides.ts';

const apps = loadApps();
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const hooks = new URL('./helpers/bundler-resolution.mjs', import.meta.url).href;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'apps-')));
let identity: Identity;
let side: Side;

beforeAll(async () => {
  symlinkSync(modules, join(folder, 'node_modules'), 'dir');
  identity = await createIdentity([...new Set([usualHost, ...apps.flatMap(({ facts }) => hostsOf(facts))])]);
  side = await startSide(identity);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stopSide(side);
});

describe('the truth about an application', () => {
  test.each(apps)('has a word for every suspicious line: $name', (app) => {
    const { title, sites } = app.facts;
    expect(title).toMatch(/^\S.{10,}[^.\s]$/);
    expect(Object.values(sites).flatMap((words) => words.split(' ').filter((word) => !truths.has(word)))).toEqual([]);
    expect(suspiciousPlaces(treeOfApp(app)).filter((place) => !(place in sites))).toEqual([]);
  });
});

describe('an application', () => {
  test.each(apps)('comes out as its truth says, and does what it did: $name', async (app) => {
    const before = join(folder, app.name, 'before');
    const after = join(folder, app.name, 'after');
    for (const side of [before, after]) cpSync(app.folder, side, { recursive: true });

    const changed = await migrated(app, after);

    expect(changed).toEqual(app.facts.sites);
    for (const side of [before, after]) expect(suiteOf(app, side)).toBe('');
    const { expected, actual } = await outcomesOf(app, before, after);
    expect(actual).toEqual(expected);
    expect(Object.values(await migrated(app, after)).join(' '), 'a second run changes nothing').not.toContain('moved');
  });
});

/** Migrates what lies in `cwd`: what became of every place of the truth, and of every other that changed or is reported. */
async function migrated({ facts }: App, cwd: string): Promise<Record<string, string>> {
  const before = readTree(cwd);
  const options = { paths: ['.'], cwd, v1Base: v1BaseOf(facts), force: true, ...(facts.v2Base !== undefined && { v2Base: facts.v2Base }) };
  const { plan, failures } = await migrate(options);
  const became = outcomes(
    before,
    readTree(cwd),
    [...plan.findings, ...failures].filter(({ code }) => code !== 'other-host' && code !== 'own-server'),
  );
  const unchanged = Object.keys(facts.sites).filter((place) => !became.has(place));
  return { ...Object.fromEntries(became), ...Object.fromEntries(unchanged.map((place) => [place, 'unchanged'])) };
}

/** What its own suite says where it does not pass. */
function suiteOf({ facts: { suite = [] } }: App, cwd: string): string {
  if (suite.length === 0) return '';
  const flags = [untidy, '--disable-warning=ExperimentalWarning', '--import', hooks, '--test', '--test-isolation=none', ...suite];
  const { status, stdout, stderr } = spawnSync(process.execPath, flags, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
  });
  return status === 0 && /^ℹ pass [1-9]/m.test(stdout) ? '' : `${stdout}${stderr}`;
}

/** What it does with the service itself, before and after; the same where it is not to be run. */
async function outcomesOf({ facts: { run, ...bases } }: App, before: string, after: string): Promise<ReturnType<typeof compared>> {
  if (run === undefined) return { expected: undefined, actual: undefined };
  const hosts = hostsOf(bases);
  const ran = (sources: string) => runOn(side, run, { sources, hosts, identity });
  return compared(await ran(before), await ran(after), run, side.service.key);
}
