import { expect, test } from 'vitest';
import { commands, environmentOf, flagOf, type Setting } from '../../src/config/setting.ts';
import { settings, settingsOf } from '../../src/config/settings.ts';
import { settingsTable } from '../../src/config/table.ts';

test('every setting of a command has one row with flag, key, variable, default and description', () => {
  const lines = settingsTable('sandbox').split('\n');
  expect(lines).toHaveLength(2 + settingsOf('sandbox').length);
  expect(lines[0]).toBe('| Flag | In the file | Environment | Default | What it is |');
  expect(lines).toContain('| `--listen` | `listen` | `MIGRATE_V2_LISTEN` | `127.0.0.1:9000` | Where to serve; port 0 picks a free one |');
});

test('a flag that is called differently keeps its key', () => {
  expect(settingsTable('proxy')).toContain('| `--assume` | `assumptions` | `MIGRATE_V2_ASSUME` | none |');
});

test('a table has neither flag nor variable', () => {
  expect(settingsTable('proxy')).toContain('| – | `mappings` | – | none |');
});

test('what is needed before the file is read has no key in it', () => {
  expect(settingsTable('proxy')).toContain('| `--config` | – | `MIGRATE_V2_CONFIG` |');
});

test('what means something to one part of a command alone has no variable: MIGRATE_V2_FORMAT is that of reports', () => {
  expect(settingsTable('usage')).toMatch(/\| `--format` \| – \| – \|/);
  expect(settingsTable('report')).toContain('| `--format` | `format` | `MIGRATE_V2_FORMAT` |');
});

test.each(commands)('no two settings of %s share a name or a flag', (command) => {
  const rows = settingsOf(command);
  expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
  expect(new Set(rows.map(flagOf)).size).toBe(rows.length);
});

test('every default is a value of its type', () => {
  const rows: readonly Setting[] = settings;
  const refused = rows.filter((row) => row.default !== undefined && !row.type.safeParse(row.default).success);
  expect(refused.map(environmentOf)).toEqual([]);
});
