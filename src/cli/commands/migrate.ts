/** `migrate-v2 [paths..]`: moves client code to v2. */
import type { Settings } from '../../config/settings.ts';
import { commandOf } from '../command.ts';

// Loaded on demand: the other commands need none of it.
async function run(settings: Settings<'migrate'>): Promise<void> {
  const { runMigration } = await import('../migrate/run.ts');
  await runMigration(settings);
}

export const migrateCommand = commandOf({
  name: 'migrate',
  words: [],
  takesWords: true,
  describe: 'Move client code from v1 to v2',
  examples: [
    ['$0 ./src --v1-base https://api.example.com --dry-run', 'See what would change'],
    ['$0 ./src --v1-base https://api.example.com', 'Rewrite the code'],
    ['$0 ./src --v1-base env:API_BASE --v2-base https://v2.example.com', 'The base stands in an environment variable; v2 has another'],
    ['$0 ./src --v1-base https://api.example.com --check', 'Let CI fail while v1 is used'],
    ['$0 ./src --v1-base https://api.example.com --explain src/api.ts:12', 'Ask why line 12 is changed, or is not'],
  ],
  run,
});
