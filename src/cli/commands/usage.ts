/** `migrate-v2 usage`: what is done to the record of v1 calls. */
import { ConfigError } from '../../config/errors.ts';
import type { Settings } from '../../config/settings.ts';
import { type Command, commandOf } from '../command.ts';

// Loaded on demand: the other commands need none of it.
async function run(settings: Settings<'usage'>): Promise<void> {
  const { eraseKey } = await import('../usage/erase.ts');
  await eraseKey(settings);
}

const eraseCommand = commandOf({
  name: 'usage',
  words: ['usage', 'erase'],
  describe: 'Forget everything recorded of one key',
  examples: [
    ['$0 usage erase --key hash:0123456789abcdef', 'Forget a key by the hash that the report shows'],
    ['$0 usage erase --key env:OLD_KEY --yes', 'Forget the key in the environment variable OLD_KEY, without being asked'],
  ],
  run,
});

const retireCommand = commandOf({
  name: 'usage',
  words: ['usage', 'retire'],
  takesWords: true,
  describe: 'Say that a proxy is gone: a report waits for it no longer',
  examples: [['$0 usage retire proxy-2:8080', 'The proxy proxy-2:8080 was taken down without having ended']],
  async run(settings) {
    const { retireReplicas } = await import('../usage/retire.ts');
    await retireReplicas(settings);
  },
});

/** A command of commands; what follows its name and is none of them comes to itself. */
export const usageCommand: Command = {
  words: ['usage'],
  usage: 'usage',
  describe: 'Forget a key in the record, or say that a proxy is gone',
  examples: [],
  rows: [],
  parts: [eraseCommand, retireCommand],
  async run({ words: [, given] }) {
    const problem = 'no such command; did you mean usage erase or usage retire?';
    throw given === undefined
      ? new ConfigError({
          code: 'CONFIG_MISSING',
          key: 'usage',
          problem: 'needs to be told what to do: usage erase --key …, or usage retire NAME',
        })
      : new ConfigError({ code: 'CONFIG_UNKNOWN', key: `usage ${given}`, problem });
  },
};
