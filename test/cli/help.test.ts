/** The text of `--help` in terminals of any width, and the words and flags that arguments hold. */
import { describe, expect, test } from 'vitest';
import { readArguments } from '../../src/cli/arguments.ts';
import { migrateCommand } from '../../src/cli/commands/migrate.ts';
import { proxyCommand } from '../../src/cli/commands/proxy.ts';
import { rolloutCommand } from '../../src/cli/commands/rollout.ts';
import { usageCommand } from '../../src/cli/commands/usage.ts';
import { helpOf } from '../../src/cli/help.ts';

const commands = [migrateCommand, proxyCommand, usageCommand, ...usageCommand.parts, rolloutCommand, ...rolloutCommand.parts];
const helpIn = (columns: number | undefined, command = proxyCommand): string => helpOf(command, { name: 'migrate-v2', commands }, columns);
/** All that a text says, wherever its lines end. */
const said = (text: string): string => [...text.replaceAll(/\s/g, '')].toSorted().join('');

describe('help', () => {
  test.each(commands.map((command) => [command.usage, command] as const))('of %s keeps to the width of the terminal', (_usage, command) => {
    for (const columns of [60, 80, 100, 120]) {
      const lines = helpIn(columns, command).split('\n');
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      expect(said(lines.join('\n'))).toBe(said(helpIn(120, command)));
    }
  });

  test('breaks what is wider than the terminal', () => {
    const lines = helpIn(24).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBe(24);
    expect(lines.join('')).toContain('keyMap in');
  });

  test('is 120 columns wide where there is no terminal, or a wider one', () => {
    expect(helpIn(undefined)).toBe(helpIn(120));
    expect(helpIn(0)).toBe(helpIn(120));
    expect(helpIn(400)).toBe(helpIn(120));
  });

  test('has what a flag takes at the right, on a line of its own where there is no room', () => {
    const lines = helpIn(120, usageCommand.parts[0]).split('\n');
    expect(lines).toContain(
      '      --verbose      Show the stack trace of an error                                         [boolean] [default: false]',
    );
    const config = lines.findIndex((line) => line.startsWith('      --config '));
    expect(lines.slice(config, config + 2)).toEqual([
      '      --config       Configuration file',
      '[string] [default: migrate-v2.config.{json,yaml,yml,js,ts} in the working directory]'.padStart(120),
    ]);
  });
});

describe('arguments', () => {
  const read = (...args: readonly string[]) => readArguments(args, migrateCommand.rows);

  test('are words, flags with values, flags without, and words behind --', () => {
    expect(read('src', '--v1-base', 'x', '--diff', 'lib', '--no-yes', '--jobs=2', '--', '--odd')).toEqual({
      words: ['src', 'lib'],
      behind: ['--odd'],
      flags: { 'v1-base': 'x', diff: true, yes: false, jobs: '2' },
      isHelp: false,
      isVersion: false,
    });
  });

  test('stay texts, and names stay as they were written', () => {
    expect(read('7', '--jobs', '007', '--a.b', '1', '--camelCase', '0x10')).toMatchObject({
      words: ['7'],
      flags: { jobs: '007', 'a.b': '1', camelCase: '0x10' },
    });
  });

  test('of one flag are listed where it is repeated', () => {
    expect(read('--v1-base', 'a', '--v1-base', 'b').flags).toEqual({ 'v1-base': ['a', 'b'] });
  });

  test.each([['--help'], ['-h'], ['help'], ['src', 'help'], ['--diff', '--help']])('%j ask for help', (...args) => {
    expect(read(...args)).toMatchObject({ isHelp: true });
  });

  test('ask for no help where it is said to be no', () => {
    expect(read('--no-help')).toMatchObject({ isHelp: false, flags: {} });
  });
});
