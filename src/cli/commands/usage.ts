/** `migrate-v2 usage`: what is done to the record of v1 calls. */
import type { CommandModule } from 'yargs';
import { ConfigError } from '../../config/errors.ts';
import type { Settings } from '../../config/settings.ts';
import { commandModule } from '../command.ts';

// Loaded on demand: the other commands need none of it.
async function run(settings: Settings<'usage'>): Promise<void> {
  const { eraseKey } = await import('../report/erase.ts');
  await eraseKey(settings);
}

const eraseCommand = commandModule({
  name: 'usage',
  usage: 'erase',
  isPart: true,
  describe: 'Forget everything recorded of one key',
  examples: [
    ['$0 usage erase --key hash:0123456789abcdef', 'Forget a key by the hash that the report shows'],
    ['$0 usage erase --key env:OLD_KEY --yes', 'Forget the key in the environment variable OLD_KEY, without being asked'],
  ],
  run,
});

/** A command of commands; what follows its name and is none of them comes to its own handler. */
export const usageCommand: CommandModule = {
  command: 'usage',
  describe: 'Forget what was recorded of a key',
  builder: (yargs) => yargs.command(eraseCommand),
  handler: ({ _: [, given] }) => {
    const problem = 'no such command; did you mean usage erase?';
    throw given === undefined
      ? new ConfigError({ code: 'CONFIG_MISSING', key: 'usage', problem: 'needs to be told what to do: usage erase --key …' })
      : new ConfigError({ code: 'CONFIG_UNKNOWN', key: `usage ${given}`, problem });
  },
};
