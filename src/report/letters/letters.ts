/** Letters to those who still call v1: each is made of a report of one customer alone. */
import { markdownText, plain } from '../../text/escape.ts';
import { type Mailbox, readMailbox } from '../../text/mailbox.ts';
import type { OwnReports } from '../build.ts';
import type { Group } from '../clients.ts';
import { escapeHtml } from '../html/escape.ts';
import type { WorkspaceRow } from '../model.ts';
import { fileNameOf } from './file-name.ts';
import { renderMessage } from './message.ts';
import { letterOf } from './model.ts';
import { fill, type Scope, type Template, type Words } from './template.ts';

/** The templates of one language. */
export interface LetterTemplates {
  /** As in `lang`. */
  readonly language: string;
  readonly words: Words;
  readonly subject: Template;
  readonly markdown: Template;
  readonly html: Template;
}

export interface Letter {
  readonly workspace: string;
  /** Names of files, and what stands in them. */
  readonly files: ReadonlyMap<string, string>;
  /** Whether the mail has an address. */
  readonly hasAddress: boolean;
}

/** Why somebody gets none. */
export type NoLetter = 'safe' | 'refused' | 'never_called' | 'unknown_key' | 'snoozed';

export type Outcome = { readonly letter: Letter } | { readonly none: NoLetter };

export interface LettersOptions {
  /** Whom letters are written to, whatever there is against it; null for all who need one. */
  readonly chosen: ReadonlySet<Group> | null;
  readonly from: Mailbox | undefined;
  readonly at: Date;
  /** The templates of a language; of the usual one for undefined. */
  readonly templatesOf: (language: string | undefined) => LetterTemplates;
}

/** Writes the letters, one after the other. */
export async function* lettersOf(own: OwnReports, { chosen, from, at, templatesOf }: LettersOptions): AsyncGenerator<Outcome> {
  for (const group of chosen ?? own.groups) {
    const none = chosen === null ? cannotNeed(group) : undefined;
    if (none !== undefined) {
      yield { none };
      continue;
    }
    const whose = new Set([group]);
    const report = await own.reportOf(whose, 'accepted');
    const row = report.workspaces.find(({ name }) => name === group.name);
    const needless = row === undefined ? neverSeen(group) : chosen === null ? needsNone(row, group) : undefined;
    if (row === undefined || needless !== undefined) {
      yield { none: needless ?? neverSeen(group) };
      continue;
    }
    const templates = templatesOf(group.workspace?.language);
    const replyTo = from === undefined ? null : from.name === '' ? from.address : `${from.name} <${from.address}>`;
    const scope = letterOf(report, row, await own.recentCallsOf(whose), { language: templates.language, replyTo });
    yield { letter: rendered(row, scope, templates, { from, at }) };
  }
}

/** What is known without a report. */
function cannotNeed({ origin, clients }: Group): NoLetter | undefined {
  // Of a key that is known, access logs may show calls that the record does not.
  if (origin !== 'unknown') return undefined;
  return clients.some(({ accepted }) => accepted) ? 'unknown_key' : 'refused';
}

/** Without an accepted call there is nothing to write to whoever is not configured. */
const neverSeen = ({ clients }: Group): NoLetter => (clients.length === 0 ? 'never_called' : 'refused');

function needsNone({ lastSeen, logged, verdict, mark }: WorkspaceRow, group: Group): NoLetter | undefined {
  if (lastSeen === null && logged === undefined) return neverSeen(group);
  if (verdict.state === 'safe') return 'safe';
  return mark?.status === 'snoozed' && !mark.past ? 'snoozed' : undefined;
}

/** Sections that are left out leave empty lines. */
const tidy = (text: string): string => `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`;

function rendered(
  { name, contact }: WorkspaceRow,
  scope: Scope,
  { words, subject, markdown, html }: LetterTemplates,
  { from, at }: Pick<LettersOptions, 'from' | 'at'>,
): Letter {
  const page = fill(html, words, scope, escapeHtml);
  const to = contact === null ? undefined : readMailbox(contact);
  const mail = renderMessage({
    from,
    to,
    subject: fill(subject, words, scope, plain).replace(/\s+/g, ' ').trim(),
    at,
    text: tidy(fill(markdown, words, scope, plain)),
    html: page,
  });
  const file = fileNameOf(name);
  return {
    workspace: name,
    files: new Map([
      [`${file}.md`, tidy(fill(markdown, words, scope, markdownText))],
      [`${file}.html`, page],
      [`${file}.eml`, mail],
    ]),
    hasAddress: to !== undefined,
  };
}
