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
let v1: Side;
let v2: Side;

beforeAll(async () => {
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'), 'dir');
  identity = await createIdentity([...new Set([usualHost, ...runnable.flatMap(({ facts }) => hostsOf(facts))])]);
  [v1, v2] = await Promise.all([startSide(identity), startSide(identity)]);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([v1, v2].map(stopSide));
});

describe('a rewritten client', () => {
  test.each(runnable)('does on v2 what it did on v1: $name', async (fixture) => {
    const runs = [run(fixture, 'input', v1), run(fixture, 'output', v2)] as const;
    // Neither reaches into the next test where the other fails.
    await Promise.allSettled(runs);
    const { expected, actual } = compared(...(await Promise.all(runs)), fixture.run, v2.service.key);
    expect(actual).toEqual(expected);
  });
});

type Runnable = Fixture & { readonly run: FixtureRun };

async function run(fixture: Runnable, side: 'input' | 'output', on: Side): Promise<Ran> {
  const sources = join(folder, fixture.name, side);
  copyFixture(fixture, side, sources);
  return runOn(on, fixture.run, { sources, hosts: hostsOf(fixture.facts), identity });
}
