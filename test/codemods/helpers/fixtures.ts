/** The paired fixtures: folders with `input`, `output` (what changes of it; absent where nothing may) and `fixture.json`. */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const fixturesRoot = fileURLToPath(new URL('../fixtures', import.meta.url));

export interface FixtureRun {
  /** A module of `input`: its default export, or `module.exports`, is `async ({ key }) => outcome`. */
  readonly entry: string;
  /** It has mocks of its own in place of the service: only its outcome is compared. */
  readonly mocked?: boolean;
  /** It finds itself in a page of the v1 base's origin (jsdom). */
  readonly browser?: boolean;
}

/** What `fixture.json` may hold. */
export interface FixtureFacts {
  /** A sentence. */
  readonly title: string;
  /** `https://api.example.com` where absent. */
  readonly v1Base?: readonly string[];
  /** v2 is on v1's host where absent. */
  readonly v2Base?: string;
  /** Every finding, as `code file:line`. What someone else owns (`other-host`, `own-server`) is listed where it matters to the fixture. */
  readonly findings?: readonly string[];
  readonly run?: FixtureRun;
}

export interface Fixture {
  /** Its folder below all of them, as `clients/axios-create`. */
  readonly name: string;
  readonly input: string;
  /** Only the files that change. */
  readonly output: string;
  /** Whether nothing in it may change. */
  readonly unchanged: boolean;
  readonly facts: FixtureFacts;
}

/** The folders that the fixtures stand in, each of one subject. */
export const axes: readonly string[] = readdirSync(fixturesRoot, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);

/** All fixtures, or those of an axis, by name. */
export function loadFixtures(axis = ''): Fixture[] {
  return namesBelow(axis).toSorted().map(loadFixture);
}

/** One side of a fixture, file by file. */
export const treeOf = ({ input, output, unchanged }: Fixture, side: 'input' | 'output'): Record<string, string> => ({
  ...readTree(input),
  ...(side === 'output' && !unchanged && readTree(output)),
});

/** Copies one side of a fixture: what changes is laid over what there was. */
export function copyFixture({ input, output }: Fixture, side: 'input' | 'output', to: string): void {
  for (const from of side === 'input' ? [input] : [input, output]) cpSync(from, to, { recursive: true });
}

/** The addresses that a fixture names as v1's. */
export const v1BaseOf = ({ v1Base = ['https://api.example.com'] }: Pick<FixtureFacts, 'v1Base'>): readonly string[] => v1Base;

/** The hosts that a fixture names, of v1's first. */
export const hostsOf = (facts: Pick<FixtureFacts, 'v1Base' | 'v2Base'>): readonly string[] =>
  [...v1BaseOf(facts), ...(facts.v2Base === undefined ? [] : [facts.v2Base])].flatMap((base) =>
    URL.canParse(base) ? new URL(base).hostname : [],
  );

/** The files below a folder by their paths, with `/`. Bytes that are no UTF-8 are read as Latin-1: no two files of other bytes look equal. */
export function readTree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((file): [string, string] => {
    const path = join(file.parentPath, file.name);
    const bytes = readFileSync(path);
    const text = bytes.toString('utf8');
    return [relative(folder, path).replaceAll(sep, '/'), Buffer.from(text).equals(bytes) ? text : bytes.toString('latin1')];
  });
  return Object.fromEntries(texts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function namesBelow(folder: string): string[] {
  const entries = readdirSync(join(fixturesRoot, folder), { withFileTypes: true });
  if (entries.some(({ name }) => name === 'fixture.json')) return [folder];
  return entries.flatMap((entry) => (entry.isDirectory() ? namesBelow(posix.join(folder, entry.name)) : []));
}

function loadFixture(name: string): Fixture {
  const folder = join(fixturesRoot, name);
  const output = join(folder, 'output');
  // The meta test checks what the file holds.
  const facts: FixtureFacts = JSON.parse(readFileSync(join(folder, 'fixture.json'), 'utf8'));
  return { name, input: join(folder, 'input'), output, unchanged: !existsSync(output), facts };
}
