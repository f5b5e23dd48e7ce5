import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fixtureIndex, indexFile } from './helpers/fixture-index.ts';
import { axes, type Fixture, loadFixtures, readTree } from './helpers/fixtures.ts';

const fixtures = loadFixtures();
/** Literals of which a clean tree has none. */
const suspicious = /x-api-key|\bv1\b|messages|contacts|campaigns|api[-_]?key/i;
const known = new Set(['title', 'v1Base', 'v2Base', 'findings', 'run', 'run.entry', 'run.mocked', 'run.browser']);

describe('the fixtures', () => {
  test('are at least 150, and for every two that change there is one that must not', () => {
    const unchanged = fixtures.filter((fixture) => fixture.unchanged).length;
    expect(fixtures.length).toBeGreaterThanOrEqual(150);
    expect(unchanged).toBeGreaterThanOrEqual((fixtures.length - unchanged) / 2);
  });

  test('are executed in at least 60 cases', () => {
    expect(fixtures.filter(({ facts }) => facts.run !== undefined).length).toBeGreaterThanOrEqual(60);
  });

  test('are all run, by a file of tests for each axis', () => {
    expect(readdirSync(new URL('axes', import.meta.url)).toSorted()).toEqual(axes.map((axis) => `${axis}.test.ts`).toSorted());
  });

  test('are listed in their README.md (npm run docs)', () => {
    expect(readFileSync(indexFile, 'utf8')).toBe(fixtureIndex());
  });

  test('have names of their own, in whatever folder', () => {
    const names = fixtures.map(({ name }) => name.slice(name.lastIndexOf('/') + 1));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('are well-formed', () => {
    expect(fixtures.flatMap(faultsOf)).toEqual([]);
  });
});

/** What a fixture is not to be. */
function faultsOf({ name, facts, input, output, unchanged }: Fixture): readonly string[] {
  const { title, findings = [], run: isRun } = facts;
  const before = readTree(input);
  const changed = unchanged ? {} : readTree(output);
  const faults = {
    'its title is no sentence without its stop': !/^\S.{10,}[^.\s]$/.test(title),
    'its facts have names that mean nothing': namesIn(facts).some((key) => !known.has(key)),
    'its findings are not sorted': findings.join() !== findings.toSorted().join(),
    'nothing in it is suspicious': !Object.values(before).some((text) => suspicious.test(text)),
    'its output has no file': !unchanged && Object.keys(changed).length === 0,
    'its output has a file that does not change, or is new': Object.entries(changed).some(
      ([file, text]) => !(file in before) || before[file] === text,
    ),
    'it does not change and is run on v2': unchanged && isRun !== undefined,
  };
  return Object.entries(faults).flatMap(([fault, isSo]) => (isSo ? `${name}: ${fault}` : []));
}

/** The keys of an object, those of objects in it after theirs and a dot. */
function namesIn(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => [
    prefix + name,
    ...(typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? namesIn(inner, `${prefix}${name}.`) : []),
  ]);
}
