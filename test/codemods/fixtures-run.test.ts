/** Fixtures with `run` are executed, with real client libraries: the original against v1, the rewritten against v2. */
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyFixture, type Fixture, type FixtureRun, hostsOf, loadFixtures } from './helpers/fixtures.ts';
import { createIdentity, type Identity } from './helpers/service.ts';
import { compared, type Ran, runOn, type Side, startSide, stopSide, usualHost } from './helpers/sides.ts';

const runnable = loadFixtures().flatMap((fixture) => (fixture.facts.run === undefined ? [] : { ...fixture, run: fixture.facts.run }));

/** Sources lie beside a link to the libraries, as in any project. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fixtures-run-')));
let identity: Identity;
let side: Side;

beforeAll(async () => {
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'), 'dir');
  identity = await createIdentity([...new Set([usualHost, ...runnable.flatMap(({ facts }) => hostsOf(facts))])]);
  side = await startSide(identity);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stopSide(side);
});

describe('a rewritten client', () => {
  test.each(runnable)('does on v2 what it did on v1: $name', async (fixture) => {
    const { expected, actual } = compared(await run(fixture, 'input'), await run(fixture, 'output'), fixture.run, side.service.key);
    expect(actual).toEqual(expected);
  });
});

type Runnable = Fixture & { readonly run: FixtureRun };

async function run(fixture: Runnable, what: 'input' | 'output'): Promise<Ran> {
  const sources = join(folder, fixture.name, what);
  copyFixture(fixture, what, sources);
  return runOn(side, fixture.run, { sources, hosts: hostsOf(fixture.facts), identity });
}
