/** Fixtures with `run` are executed, with real client libraries: the original against v1, the rewritten against v2. */
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Executor, stripTypes } from './helpers/execute.ts';
import { copyFixture, type Fixture, type FixtureRun, loadFixtures, v1BaseOf } from './helpers/fixtures.ts';
import { createIdentity, type Identity, type Recorded, type Service, startService } from './helpers/service.ts';

const runnable = loadFixtures().flatMap((fixture) => (fixture.facts.run === undefined ? [] : { ...fixture, run: fixture.facts.run }));
const hostsOf = ({ facts }: Fixture): string[] =>
  [...v1BaseOf(facts), facts.v2Base ?? []].flat().flatMap((base) => (URL.canParse(base) ? new URL(base).hostname : []));
/** For bases that are named by an environment variable. */
const usual = 'api.example.com';

/** Sources lie beside a link to the libraries, as in any project. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fixtures-run-')));
let identity: Identity;
let v1: Side;
let v2: Side;

beforeAll(async () => {
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'), 'dir');
  identity = await createIdentity([...new Set([usual, ...runnable.flatMap(hostsOf)])]);
  [v1, v2] = await Promise.all([startSide(), startSide()]);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([v1, v2].flatMap(({ service, executor }) => [executor[Symbol.asyncDispose](), service[Symbol.asyncDispose]()]));
});

describe('a rewritten client', () => {
  test.each(runnable)('does on v2 what it did on v1: $name', async (fixture) => {
    const runs = [run(fixture, 'input', v1), run(fixture, 'output', v2)] as const;
    // Neither reaches into the next test where the other fails.
    await Promise.allSettled(runs);
    const [before, after] = await Promise.all(runs);

    expect(modulo(after.outcome)).toEqual(modulo(before.outcome));
    if (fixture.run.mocked === true) return;
    expect(exchanges(after.recorded)).toEqual(exchanges(before.recorded));
    expect(after.recorded.map(signature)).toEqual(before.recorded.map(translated));
    expect(after.recorded.map(signature)).toContainEqual({ version: 'v2', authorization: `Bearer ${v2.service.key}` });
  });
});

interface Side {
  readonly service: Service;
  readonly executor: Executor;
}
const startSide = async (): Promise<Side> => ({ service: await startService(identity), executor: new Executor() });

type Runnable = Fixture & { readonly run: FixtureRun };

async function run(fixture: Runnable, side: 'input' | 'output', { service, executor }: Side) {
  const sources = join(folder, fixture.name, side);
  copyFixture(fixture, side, sources);
  const tidy = stripTypes(sources);
  service.restart();
  const hosts = [usual, ...hostsOf(fixture)];
  const { entry, browser = false } = fixture.run;
  const outcome = await executor.execute({
    entry: join(sources, entry),
    tidy: tidy && !browser,
    key: service.key,
    hosts,
    port: service.port,
    authority: identity.cert,
    ...(browser && { page: `https://${hosts.at(1) ?? usual}/app` }),
  });
  return { outcome, recorded: service.recorded() };
}

const exchanges = (recorded: readonly Recorded[]): unknown => recorded.map(({ exchange }) => modulo(exchange));
const signature = ({ version, apiKey, authorization }: Recorded) => ({ version, apiKey, authorization });
/** How v2 is to be asked what v1 was asked: not in v1's way, and in no other. */
function translated({ version, apiKey, authorization }: Recorded) {
  expect({ version, authorization }).toEqual({ version: 'v1' });
  return { version: 'v2', apiKey: undefined, authorization: apiKey && `Bearer ${apiKey}` };
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Without what differs between the versions: the paths that outcomes speak of, and what hosts are called. Nor do two runs make the same UUID. */
function modulo(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  return JSON.parse(
    text
      .replaceAll(/https:\/\/[a-z0-9.-]*example\.com/g, 'https://service')
      .replaceAll(/\bv[12]\//g, '')
      .replaceAll(uuid, 'uuid'),
  );
}
