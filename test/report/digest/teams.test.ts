/** What a workflow of Teams takes, by learn.microsoft.com: written here once more, by its documents and not by our code. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { teamsMessage } from '../../../src/report/digest/teams.ts';
import { corpus } from '../hostile.ts';
import { digestWith, sample } from './sample.ts';

/** Markdown in it is obeyed, and `{{DATE(…)}}`: it must be ours. */
const textBlock = z.strictObject({
  type: z.literal('TextBlock'),
  text: z.string().regex(/^[\w ,:-]+$/),
  size: z.enum(['Small', 'Default', 'Medium', 'Large', 'ExtraLarge']),
  weight: z.enum(['Lighter', 'Default', 'Bolder']),
  wrap: z.boolean(),
});
const textRun = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string(),
  weight: z.enum(['Lighter', 'Default', 'Bolder']).optional(),
});
const richTextBlock = z.strictObject({
  type: z.literal('RichTextBlock'),
  spacing: z.enum(['Default', 'None', 'Small', 'Medium', 'Large']).optional(),
  inlines: z.array(textRun).min(1),
});
const card = z.strictObject({
  $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
  type: z.literal('AdaptiveCard'),
  version: z.enum(['1.2', '1.3', '1.4', '1.5']),
  // Mentions would be among its entities.
  msteams: z.strictObject({ width: z.literal('Full') }),
  body: z.array(z.union([textBlock, richTextBlock])).min(1),
});
const attachment = z.strictObject({
  contentType: z.literal('application/vnd.microsoft.card.adaptive'),
  contentUrl: z.null(),
  content: card,
});
const message = z.strictObject({ type: z.literal('message'), attachments: z.array(attachment).length(1) });

/** 28 KB, and as others found, of UTF-16: messages of 14,001 characters were refused. */
const fits = (given: object): boolean => {
  const text = JSON.stringify(given);
  return text.length <= 14_000 && Buffer.byteLength(text) <= 28_000;
};

const linesOf = (given: ReturnType<typeof teamsMessage>): readonly string[] =>
  message
    .parse(given)
    .attachments.flatMap(({ content }) =>
      content.body.map((block) => (block.type === 'TextBlock' ? `# ${block.text}` : block.inlines.map(({ text }) => text).join(''))),
    );

test('says what is new, section by section, with the verdict first', async () => {
  const lines = linesOf(teamsMessage(await sample()));
  expect(lines.slice(0, 2)).toEqual([
    '# v1 use from 2026-11-13 to 2026-11-20 12:00 UTC',
    'NOT YET: as a week before; 40 days until v1 is switched off on 2026-12-31 00:00 UTC',
  ]);
  expect(lines).toContain('# Brownouts next');
  expect(lines).toContain('1. Core: had stopped and calls again: ask what changed (core@example.test)');
});

test.each(corpus.flatMap((text) => [1, 200].map((times) => ({ text, times }))))('takes $text, $times times', async ({ text, times }) => {
  const given = teamsMessage(await digestWith(text, times));
  const lines = linesOf(given);
  expect(fits(given)).toBe(true);
  expect(JSON.stringify(given).isWellFormed()).toBe(true);
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u200f\u202e\u2066\ufeff]/u);
});

test('tells how many lines were left out, where there are too many', async () => {
  expect(linesOf(teamsMessage(await digestWith('Acme', 100))).join('\n')).toMatch(/\n… and \d+ more: migrate-v2 report --digest/);
});
