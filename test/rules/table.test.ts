import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openQuestions } from '../../src/contract/assumptions.ts';
import { projectRoot } from '../helpers/build.ts';
import { blocksOf, countBySection } from './blocks.ts';
import type { NamedTest, TestedRow, UntestedRow } from './row.ts';
import { source, table } from './table.ts';
import { titlesIn, titlesOf } from './titles.ts';

const tested = table.filter((row): row is TestedRow => 'tests' in row);
const untested = table.filter((row): row is UntestedRow => 'noTest' in row);

/** References to all blocks of the document. */
const blocks = Object.entries(source.blocks).flatMap(([section, count]) => Array.from({ length: count }, (_, i) => `${section}.${i + 1}`));

/** The titles that a row can mean by one of its tests. */
const meant = ([file, title]: NamedTest): string[] => titlesIn(file).filter((path) => ` > ${path}`.endsWith(` > ${title}`));

describe('the table of rules', () => {
  // The document stands beside the repository, not in it.
  const document = join(projectRoot, '../shared/api.md');
  test.runIf(existsSync(document))('was made from api.md as it is', () => {
    const text = readFileSync(document, 'utf8');
    const advice =
      'api.md has changed: go through it again, row by row, and then write down its blocks and its sha256 in test/rules/table.ts';
    expect({ sha256: hash('sha256', text), blocks: countBySection(blocksOf(text)) }, advice).toEqual(source);
  });

  test('has a row for every block', () => {
    const covered = new Set(table.flatMap(({ at }) => at));
    expect(
      blocks.filter((at) => !covered.has(at)),
      'write a row in test/rules/rows for each of these, and a test',
    ).toEqual([]);
  });

  test('has no row about a block that is not there', () => {
    expect(table.flatMap(({ at }) => at).filter((at) => !blocks.includes(at))).toEqual([]);
    expect(table.filter(({ at }) => at.length === 0)).toEqual([]);
  });

  test('does not say of a block that it is no rule, where it has one', () => {
    const rules = new Set(tested.flatMap(({ at }) => at));
    expect(untested.flatMap(({ at }) => at).filter((at) => rules.has(at))).toEqual([]);
  });

  test('says each rule once', () => {
    const rules = table.map(({ at, rule }) => `${at.join()} ${rule}`);
    expect(rules.filter((rule, i) => rules.indexOf(rule) !== i)).toEqual([]);
  });

  test('says where every open question comes from', () => {
    const named = new Set<string>(tested.flatMap(({ assumptions = [] }) => assumptions));
    const advice = 'name each of these in the row of the block that leaves it open, with a test that answers it otherwise';
    expect(
      Object.keys(openQuestions).filter((name) => !named.has(name)),
      advice,
    ).toEqual([]);
  });
});

describe('every rule has its tests', () => {
  test.for(tested.map((row) => [`§${row.at.join(', ')}: ${row.rule}`, row.tests] as const))('%s', ([, tests]) => {
    expect(tests).not.toEqual([]);
    // As it is written down there, so that a renamed test is found missing.
    for (const named of tests) expect(meant(named), `${named.join(': ')} must be the title of one test`).toHaveLength(1);
  });
});

describe('the titles of tests', () => {
  test('are found however tests are made, and with their groups', () => {
    const file = `
      const test = base.extend(fixtures);
      test('plain “title”', () => {});
      test("it's quoted", () => {});
      describe.each(versions)('version %s', () => {
        test.for([['a', 'b']])('of a %s', () => {});
        it.each<[(name: string) => void, number]>([[log, 1]])(
          'of an %i',
          () => {},
        );
      });
      for (const size of sizes) describe(\`size \${size}\`, () => void it.runIf(size > 0)('of a loop', () => {}));
    `;
    expect(titlesOf(file)).toEqual([
      'plain “title”',
      "it's quoted",
      'version %s > of a %s',
      'version %s > of an %i',
      'size ${size} > of a loop',
    ]);
  });

  test('are not those of tests that prove nothing: left out, still to be written, alone, or meant to fail', () => {
    const file = `
      test.skip('skipped', () => {});
      test.todo('to do');
      it.only('alone', () => {});
      test.fails('meant to fail', () => {});
      test.concurrent.skip('skipped in company', () => {});
      test.skip.for([['a']])('skipped with %s', () => {});
      test.for([['a']]).skip('skipped after %s', () => {});
      test['skip']('skipped by name', () => {});
      test('skipped by an option', { skip: true }, () => {});
      test('to do by an option', { timeout: 1, 'todo': true }, () => {});
      test('without a body');
      describe.skip('a group that is skipped', () => void test('in it', () => {}));
      describe.only.each(versions)('a group alone', () => void test('in it', () => {}));
      describe.todo('a group to do', () => describe('around another', () => void test('in it', () => {})));
      describe.skip(version, () => void test('in it', () => {}));
      describe('a group', () => void test('that counts', () => {}));
      test('that counts, with options', { timeout: 1 }, () => {});
      test.skipIf(old)('that counts where it can', () => {});
    `;
    expect(titlesOf(file)).toEqual(['a group > that counts', 'that counts, with options', 'that counts where it can']);
  });

  test('are nothing else that looks like one', () => {
    const file = `
      // test('in a comment', () => {});
      const text = "test('in a text')";
      test(title, () => expect(call('an argument')).toBe(attest('another')));
      describe('a group', () => {});
      latest('another function');
    `;
    expect(titlesOf(file)).toEqual([]);
  });
});

describe('the blocks of a document', () => {
  test('are its paragraphs, list items and rows of tables, counted in each section', () => {
    const text =
      '# Title\n\nIntroduction.\n\n## 1. One\n\nText.\n- item\n\n### Part\n| Head | Head |\n|---|---|\n| a | b |\n\n## 2. Two\n1. first\n';
    expect(blocksOf(text)).toEqual([
      { at: '0.1', text: 'Introduction.' },
      { at: '1.1', text: 'Text.' },
      { at: '1.2', text: '- item' },
      { at: '1.3', text: '| a | b |' },
      { at: '2.1', text: '1. first' },
    ]);
    expect(countBySection(blocksOf(text))).toEqual({ 0: 1, 1: 3, 2: 1 });
  });
});
