/**
 * The digest as a message for Slack's incoming webhooks, in Block Kit. Their bounds, as docs.slack.dev has them: 50 blocks in a message, 3,000
 * characters in the text of a section, 150 in a header. All blocks together have one that is not told: messages of 13,000 were refused
 * (slackapi/bolt-js#2509).
 */
import { plain } from '../../text/escape.ts';
import { fitted, moreText, mostInChat, shortened } from './fit.ts';
import type { Digest } from './model.ts';
import { type DigestSection, digestText, type Line } from './text.ts';

const longestSection = 3_000;
const longestBlocks = 12_000;

/** `&`, `<` and `>` alone begin links and mentions. What else is markup has no escape, but signs that look like it. */
const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '*': '∗',
  '~': '∼',
  '`': 'ˋ',
};
const slackText = (text: string): string =>
  plain(text)
    .replace(/[&<>*~`]/g, (sign) => signs[sign] ?? sign)
    // Within a word it is no markup, and keys begin with words like that.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '＿')
    .replace(/:(?=[\w+'-]+:)/g, '∶');

interface TextObject {
  readonly type: 'plain_text' | 'mrkdwn';
  readonly text: string;
  /** Addresses and names of channels and people in it stay what they are. */
  readonly verbatim?: true;
}

interface Block {
  readonly type: 'header' | 'section';
  readonly text: TextObject;
}

export interface SlackMessage {
  /** What a notification shows. */
  readonly text: string;
  readonly blocks: readonly Block[];
}

export function slackMessage(digest: Digest): SlackMessage {
  const { title, verdict, facts, sections } = digestText(digest);
  const summary = `*${verdict.title}*: ${slackText(verdict.text)}`;
  const make = (lines: number): readonly Block[] => [
    { type: 'header', text: { type: 'plain_text', text: title } },
    section([summary, ...facts.map((fact) => `• ${written(fact)}`)]),
    ...sections.map((each) => section(linesOf(each, lines))),
  ];
  const blocks = fitted(
    mostInChat,
    make,
    (made) => sizeOf(made) <= longestBlocks && made.every(({ text }) => text.text.length <= longestSection),
  );
  return { text: `${title}: ${verdict.title}`, blocks };
}

const section = (lines: readonly string[]): Block => ({
  type: 'section',
  text: { type: 'mrkdwn', text: lines.join('\n'), verbatim: true },
});

function linesOf({ title, lines, isOrdered }: DigestSection, most: number): readonly string[] {
  const more = lines.length - most;
  const shown = lines.slice(0, most).map((line, index) => `${isOrdered ? `${index + 1}.` : '•'} ${written(line)}`);
  return [`*${title}*`, ...shown, ...(more > 0 ? [moreText(more)] : [])];
}

function written(line: Line): string {
  const { name, text } = shortened(line);
  return `*${slackText(name)}*: ${slackText(text)}`;
}

/** As long as it is where all but ASCII is written as `\uXXXX`. */
const sizeOf = (blocks: readonly Block[]): number => JSON.stringify(blocks).replace(/[^ -~]/g, '\\uXXXX').length;
