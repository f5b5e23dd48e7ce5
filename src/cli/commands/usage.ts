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

const markCommand = commandOf({
  name: 'usage',
  words: ['usage', 'mark'],
  takesWords: true,
  describe: 'Note how things stand with a customer: every report shows it',
  examples: [
    ['$0 usage mark Acme contacted --note "asked Ada for a date"', 'Somebody has written to Acme'],
    ['$0 usage mark Acme promised 2026-12-10', 'They will have moved by that day'],
    ['$0 usage mark hash:0123456789abcdef snoozed', 'Nothing is to be done about this key'],
    ['$0 usage mark Acme --clear', 'Take it back'],
  ],
  async run(settings) {
    const { markWorkspace } = await import('../usage/mark.ts');
    await markWorkspace(settings);
  },
});

const importCommand = commandOf({
  name: 'usage',
  words: ['usage', 'import'],
  takesWords: true,
  describe: 'Read access logs of what v1 traffic passes beside the proxies',
  examples: [
    ['$0 usage import /var/log/nginx/access.log*', 'Whatever nginx kept; again tomorrow, and nothing counts twice'],
    ['$0 usage import --source edge --skip-network 10.0.7.0/24 alb/*.gz', 'A balancer before the proxies, whose calls they have recorded'],
    ['zcat logs/*.gz | $0 usage import --host api.example.com -', 'What comes on stdin, of one host'],
    [
      "$0 usage import --pattern '^(?<time>\\S+) (?<address>\\S+) (?<method>[A-Z]+) (?<path>\\S+) (?<status>\\d+)' gateway.log",
      'Any other format',
    ],
  ],
  async run(settings) {
    const { importLogs } = await import('../usage/import.ts');
    await importLogs(settings);
  },
});

/** A command of commands; what follows its name and is none of them comes to itself. */
export const usageCommand: Command = {
  words: ['usage'],
  usage: 'usage',
  describe: 'Forget a key in the record, say that a proxy is gone, note how things stand with a customer, or read access logs',
  examples: [],
  rows: [],
  parts: [eraseCommand, retireCommand, markCommand, importCommand],
  async run({ words: [, given] }) {
    const problem = 'no such command; did you mean usage erase, usage retire, usage mark or usage import?';
    throw given === undefined
      ? new ConfigError({
          code: 'CONFIG_MISSING',
          key: 'usage',
          problem: 'needs to be told what to do: usage erase --key …, usage retire NAME, usage mark NAME STATUS, or usage import LOG',
        })
      : new ConfigError({ code: 'CONFIG_UNKNOWN', key: `usage ${given}`, problem });
  },
};
