import { ConfigError } from './errors.ts';
import { flagOf, type Setting } from './setting.ts';
import { type Settings, settingsOf } from './settings.ts';

type Name = keyof Settings<'migrate'>;

/** Flags that say opposite things, and why. */
const exclusions: readonly { readonly name: Name; readonly others: readonly Name[]; readonly because: string }[] = [
  { name: 'interactive', others: ['dryRun', 'diff', 'check'], because: 'which writes nothing, so that there is nothing to accept' },
  { name: 'interactive', others: ['yes'], because: 'which accepts everything' },
  { name: 'explain', others: ['diff', 'check', 'interactive', 'todo'], because: 'which it has no use for: it only explains' },
  { name: 'todo', others: ['check'], because: 'which writes nothing' },
];

/**
 * Settings of the codemods that only make sense together.
 * @param sourceOf says where a setting was given
 * @throws ConfigError for the first pair that does not
 */
export function checkMigrate(settings: Settings<'migrate'>, sourceOf: (name: string) => string | undefined): void {
  const rows = new Map(settingsOf('migrate').map((row: Setting) => [row.name, `--${flagOf(row)}`]));
  const fail = (name: Name, problem: string): ConfigError =>
    new ConfigError({ code: 'CONFIG_CONFLICT', key: rows.get(name) ?? name, problem, source: sourceOf(name) });

  for (const { name, others, because } of exclusions) {
    const other = others.find((each) => settings[each]);
    if (settings[name] && other !== undefined) throw fail(name, `excludes ${rows.get(other)}, ${because}; leave one of them out`);
  }
  // Both have a form of their own.
  const formless = (['diff', 'explain'] as const).find((each) => settings[each]);
  if (settings.format !== 'text' && formless !== undefined) {
    throw fail('format', `does not go with ${rows.get(formless)}, which has a form of its own; leave one of them out`);
  }
}
