/** What Slack takes of a message, by docs.slack.dev: written here once more, by its documents and not by our code. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { slackMessage } from '../../../src/report/digest/slack.ts';
import { corpus } from '../hostile.ts';
import { digestWith, sample } from './sample.ts';

/** Between them stand links and mentions; and `&` begins nothing but these three. */
const unescaped = /[<>]|&(?!(?:amp|lt|gt);)/;
const mrkdwn = z
  .string()
  .min(1)
  .max(3_000)
  .refine((text) => !unescaped.test(text), 'a control sequence');

const header = z.strictObject({
  type: z.literal('header'),
  text: z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(150) }),
});
const section = z.strictObject({
  type: z.literal('section'),
  // Otherwise names of channels and addresses become links, and @here calls everybody.
  text: z.strictObject({ type: z.literal('mrkdwn'), text: mrkdwn, verbatim: z.literal(true) }),
});
const message = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(40_000)
    .refine((text) => !/[<>&@]/.test(text)),
  blocks: z
    .array(z.union([header, section]))
    .min(1)
    .max(50),
});

/** slackapi/bolt-js#2509: it answers `msg_blocks_too_long` from 13,172 on. */
const longest = 13_000;
const asciiLength = (value: unknown): number => JSON.stringify(value).replace(/[^\0-\u007f]/g, '\\u0000').length;

const textOf = (given: ReturnType<typeof slackMessage>): string => given.blocks.map(({ text }) => text.text).join('\n');

test('says what is new, section by section, with the verdict first', async () => {
  const given = slackMessage(await sample());
  expect(message.parse(given)).toEqual(given);
  expect(given.text).toBe('v1 use from 2026-11-13 to 2026-11-20 12:00 UTC: NOT YET');
  expect(given.blocks[0]).toMatchObject({ type: 'header' });
  expect(textOf(given).match(/^\*.*\*$/gm)).toEqual([
    '*Do first*',
    '*Came back*',
    '*New*',
    '*Unknown keys*',
    '*Gone quiet*',
    '*Limits of v2 that will be met*',
    '*Will probably miss the sunset*',
    '*Promises due*',
    '*Brownouts next*',
  ]);
  expect(textOf(given)).toContain('\n• *Acme*: a new client, batch/1.0 from 198.51.100.0/24, since ');
  expect(textOf(given)).toContain('hash:4142d4389620de26');
});

test.each(corpus.flatMap((text) => [1, 200].map((times) => ({ text, times }))))('takes $text, $times times', async ({ text, times }) => {
  const given = slackMessage(await digestWith(text, times));
  message.parse(given);
  expect(asciiLength(given.blocks)).toBeLessThan(longest);
  expect(JSON.stringify(given).isWellFormed()).toBe(true);
  expect(textOf(given).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u200f\u202e\u2066\ufeff]/u);
});

test.each(['<!channel>', '<!here>', '<@U024BE7LR>', '<#C024BE7LR>', '<https://evil.test|Acme>', '&lt;!channel&gt;', '<!subteam^S1>'])(
  'calls nobody by %s',
  async (text) => {
    const given = textOf(slackMessage(await digestWith(text, 1)));
    expect(given).not.toMatch(unescaped);
    expect(given).toContain(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
  },
);

test('leaves no markup to names, and the beginnings of keys as they are', async () => {
  const given = textOf(slackMessage(await digestWith('*a* _b_ ~c~ `d` :tada: mk_new_7', 1)));
  expect(given).toContain('∗a∗ ＿b＿ ∼c∼ ˋdˋ ∶tada: mk_new_7');
});

test('fits each section, also where there is no other one', async () => {
  const { unknownKeys, ...digest } = await digestWith('x'.repeat(1_000), 40);
  const none = { first: [], cameBack: [], new: [], left: [], newClients: [], leftClients: [], limits: [], promises: [], brownouts: [] };
  const { blocks } = message.parse(slackMessage({ ...digest, ...none, unknownKeys }));
  expect(Math.max(...blocks.map(({ text }) => text.text.length))).toBeGreaterThan(2_000);
});

test.each(['', 'a'])('cuts no character in two, after "%s"', async (begin) => {
  expect(textOf(slackMessage(await digestWith(begin + '👩'.repeat(500), 2)))).not.toContain('\\u{d8');
});

test('tells how many lines were left out, where there are too many', async () => {
  const given = textOf(slackMessage(await digestWith('Acme', 100)));
  expect(given).toMatch(/… and \d+ more: migrate-v2 report --digest has them all/);
});
