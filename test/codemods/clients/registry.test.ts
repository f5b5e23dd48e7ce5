/** Everything about one library stands in its file in clients/: nowhere else is it asked for by name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientRules } from '../../../codemods/clients/registry.ts';
import { escaped } from '../../../codemods/find/words/literals.ts';
import { projectRoot } from '../../helpers/build.ts';
import { loadFixtures } from '../helpers/fixtures.ts';

const root = join(projectRoot, 'codemods');
/** What a shell runs is known by the name of the program, which may be that of the package that brings it; and what runs tests, by that of the runner, which may ask, too. */
const ofPrograms = new Set(['formats/shell/programs.ts']);
const isElsewhere = (file: string): boolean => !file.startsWith('clients/') && !ofPrograms.has(file);
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && isElsewhere(file));
/** Packages that are called as other things are, too. */
const words = new Set(['http', 'https', 'request', 'proxy', 'fetch', 'retry', 'needle', 'bun']);
/** What runs commands runs other programs, too: a test's server, what answers for one. */
const running = new Set(['child_process', 'execa', 'zx']);
/** Mocks and test runners are left out: what tests show and look at is known by the names that people give to it. */
const packages = clientRules
  .filter((rule) => rule.isForTests !== true)
  .flatMap(({ modules = [], types = [], throttles = [], retries = [] }) => [...modules, ...types, ...throttles, ...retries])
  .filter((name) => !words.has(name) && !running.has(name));
const named = new RegExp(`['"\`/|(](?:${packages.map(escaped).join('|')})['"\`/|)]`, 'g');
const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');

describe('the registry', () => {
  test.each(clientRules)('knows $name by no other name', ({ name }) => {
    expect(clientRules.filter((rule) => rule.name === name)).toHaveLength(1);
  });

  test('is the only one that knows a library by its name', () => {
    expect(packages.length).toBeGreaterThan(60);
    const found = files.flatMap((file) =>
      (withoutComments(readFileSync(join(root, file), 'utf8')).match(named) ?? []).map((hit) => `${file}: ${hit}`),
    );
    expect(found).toEqual([]);
  });

  test('has a fixture that moves for each package that a client comes from', () => {
    const moved = loadFixtures()
      .filter(({ unchanged }) => !unchanged)
      .map(({ input }) =>
        readdirSync(input, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
          .join('\n'),
      );
    const isShown = (name: string): boolean => moved.some((text) => text.includes(name));
    const missing = clientRules.filter(({ modules = [], globals = [], methods = [] }) => {
      const names = [...modules, ...globals, ...methods];
      return names.length > 0 && !names.some(isShown);
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});
