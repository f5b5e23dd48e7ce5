/** `migrate-v2 rollout`: which calls are in which stage of the road from v1 to v2, and the way back. */
import { ConfigError } from '../../config/errors.ts';
import type { Settings } from '../../config/settings.ts';
import { didYouMean } from '../../config/suggest.ts';
import { type Command, type CommandDefinition, commandOf } from '../command.ts';

type Run = (settings: Settings<'rollout'>) => Promise<void>;
type Definition = Pick<CommandDefinition<'rollout'>, 'takesWords' | 'describe' | 'examples'>;

const part = (word: string, definition: Definition, run: Run): Command =>
  commandOf({ name: 'rollout', words: ['rollout', word], ...definition, run });

// Loaded on demand: the other commands need none of it.
const parts = [
  part(
    'explain',
    {
      describe: 'Tell which rule holds for a call, and why',
      examples: [
        ["$0 rollout explain --key hash:0123456789abcdef --endpoint 'GET /v1/messages/:id'", 'A key by the hash that the report shows'],
        ["$0 rollout explain --key env:OLD_KEY --endpoint 'POST /v1/messages/send'", 'The key in the environment variable OLD_KEY'],
      ],
    },
    async (settings) => (await import('../rollout/show.ts')).explainRollout(settings),
  ),
  part(
    'stop',
    {
      describe: 'Take everything back to v1, on every proxy',
      examples: [['$0 rollout stop', 'Every proxy of this record follows within seconds']],
    },
    async (settings) => (await import('../rollout/act.ts')).stopRollout(settings),
  ),
  part(
    'resume',
    { describe: 'Let the rules hold again after a stop', examples: [['$0 rollout resume', 'Go on where the roll-out was stopped']] },
    async (settings) => (await import('../rollout/act.ts')).resumeRollout(settings),
  ),
  part(
    'release',
    {
      takesWords: true,
      describe: 'Let a rule hold again that its guard took back',
      examples: [['$0 rollout release acme', 'The rule acme translates again']],
    },
    async (settings) => (await import('../rollout/act.ts')).releaseRules(settings),
  ),
  part(
    'stop-brownout',
    {
      takesWords: true,
      describe: 'End a brownout for good',
      examples: [['$0 rollout stop-brownout december', 'The brownout december refuses nobody any more']],
    },
    async (settings) => (await import('../rollout/act.ts')).stopBrownouts(settings),
  ),
];

const own = commandOf({
  name: 'rollout',
  describe: 'Show the rules of the roll-out with the calls under each; stop it',
  examples: [
    ['$0 rollout', 'The rules as they are in force, with the calls of the last 24 hours'],
    ['$0 rollout --format json', 'The same for a program'],
  ],
  run: async (settings) => (await import('../rollout/show.ts')).showRollout(settings),
});

/** A command of its own, and one of commands. */
export const rolloutCommand: Command = {
  ...own,
  parts,
  async run(given) {
    const [, word] = given.words;
    const known = parts.flatMap(({ words }) => words.slice(1));
    if (word === undefined) return own.run(given);
    const problem = `no such command${didYouMean(word, known) || `; there are rollout ${known.join(', ')}`}`;
    throw new ConfigError({ code: 'CONFIG_UNKNOWN', key: `rollout ${word}`, problem });
  },
};
