/**
 * The digest as what a workflow of Teams takes that posts webhook requests to a channel: a message with an Adaptive Card. Other people's text
 * stands in text runs, which know neither Markdown nor mentions; a text block would. A message has 28 KB (learn.microsoft.com/connectors/teams),
 * and counts each character as two bytes at least.
 */
import { plain } from '../../text/escape.ts';
import { fitted, moreText, mostInChat, shortened } from './fit.ts';
import type { Digest } from './model.ts';
import { digestText, type Line } from './text.ts';

const longestMessage = 28_000;

interface TextRun {
  readonly type: 'TextRun';
  readonly text: string;
  readonly weight?: 'Bolder';
}

interface Paragraph {
  readonly type: 'RichTextBlock';
  readonly spacing?: 'Small' | 'Medium';
  readonly inlines: readonly TextRun[];
}

interface Title {
  readonly type: 'TextBlock';
  readonly text: string;
  readonly size: 'Large' | 'Medium';
  readonly weight: 'Bolder';
  readonly wrap: true;
}

export interface TeamsMessage {
  readonly type: 'message';
  readonly attachments: readonly {
    readonly contentType: 'application/vnd.microsoft.card.adaptive';
    readonly contentUrl: null;
    readonly content: {
      readonly $schema: string;
      readonly type: 'AdaptiveCard';
      /** The first one with rich text. */
      readonly version: '1.2';
      readonly msteams: { readonly width: 'Full' };
      readonly body: readonly (Title | Paragraph)[];
    };
  }[];
}

export function teamsMessage(digest: Digest): TeamsMessage {
  const { title, verdict, facts, sections } = digestText(digest);
  const body = (most: number): readonly (Title | Paragraph)[] => [
    heading(title, 'Large'),
    paragraph('', { name: verdict.title, text: verdict.text }, 'Medium'),
    ...facts.map((fact) => paragraph('• ', fact)),
    ...sections.flatMap(({ title, lines, isOrdered }) => [
      heading(title, 'Medium'),
      ...lines.slice(0, most).map((line, index) => paragraph(isOrdered ? `${index + 1}. ` : '• ', line)),
      ...(lines.length > most ? [more(lines.length - most)] : []),
    ]),
  ];
  return fitted(
    mostInChat,
    (most) => messageOf(body(most)),
    (message) => sizeOf(message) <= longestMessage,
  );
}

const messageOf = (body: readonly (Title | Paragraph)[]): TeamsMessage => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.2',
        msteams: { width: 'Full' },
        body,
      },
    },
  ],
});

/** Of our words alone. */
const heading = (text: string, size: Title['size']): Title => ({ type: 'TextBlock', text, size, weight: 'Bolder', wrap: true });

function paragraph(mark: string, line: Line, spacing: 'Small' | 'Medium' = 'Small'): Paragraph {
  const { name, text } = shortened(line);
  return {
    type: 'RichTextBlock',
    spacing,
    inlines: [
      { type: 'TextRun', text: `${mark}${plain(name)}`, weight: 'Bolder' },
      { type: 'TextRun', text: `: ${plain(text)}` },
    ],
  };
}

const more = (lines: number): Paragraph => ({
  type: 'RichTextBlock',
  spacing: 'Small',
  inlines: [{ type: 'TextRun', text: moreText(lines) }],
});

function sizeOf(message: TeamsMessage): number {
  const text = JSON.stringify(message);
  return Math.max(2 * text.length, Buffer.byteLength(text));
}
