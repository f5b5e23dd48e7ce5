/** `migrate-v2 usage mark`: notes how things stand with a customer. */
import { ConfigError } from '../../config/errors.ts';
import type { Settings } from '../../config/settings.ts';
import { standing } from '../../config/types-mark.ts';
import { readDirectory } from '../../report/clients.ts';
import { groupNamed } from '../../report/whose.ts';
import { dateOf } from '../../report/text/figures.ts';
import { or } from '../../text/list.ts';
import { plain } from '../../text/escape.ts';
import { type Mark, markStatuses } from '../../usage/model.ts';
import { openEraser, openReader } from '../../usage/store/open.ts';
import { hashMark, type Workspace } from '../../usage/workspaces.ts';
import { requireStore } from './erase.ts';

/**
 * Notes a status of a workspace or an unknown key, or takes it back.
 * @throws ConfigError where the report knows no such name, or the status is not whole
 * @throws StoreError
 */
export async function markWorkspace(settings: Settings<'usage'>): Promise<void> {
  const { name, standing } = readWords(settings);
  requireStore(settings.store);
  const { subject, shown } = await subjectOf(settings.store, settings.workspaces, name);
  const eraser = await openEraser(settings.store);
  try {
    await eraser.mark({ subject, at: Date.now(), ...standing });
  } finally {
    await eraser.close();
  }
  console.error(`${plain(shown)}: ${outcomeOf(standing)}`);
}

type Standing = Omit<Mark, 'subject' | 'at'>;

function outcomeOf({ status, until, note }: Standing): string {
  if (status === null) return 'what was noted is taken back; what the configuration says holds';
  const when = until === null ? '' : ` ${status === 'snoozed' ? 'until ' : ''}${dateOf(new Date(until).toISOString())}`;
  return `${status}${when}${note === null ? '' : `: ${plain(note)}`}`;
}

const fail = (
  key: string,
  problem: string,
  code: 'CONFIG_MISSING' | 'CONFIG_INVALID' | 'CONFIG_CONFLICT' = 'CONFIG_INVALID',
): ConfigError => new ConfigError({ code, key: `usage mark${key}`, problem });

/** @throws ConfigError for what is missing, or goes not together */
function readWords({ marked, note, clear }: Settings<'usage'>): { readonly name: string; readonly standing: Standing } {
  const [name, ...given] = marked;
  const statuses = or(markStatuses);
  if (name === undefined) throw fail('', `needs a workspace as the report shows it, and ${statuses}, or --clear`, 'CONFIG_MISSING');
  if (clear) {
    if (given.length > 0 || note !== undefined)
      throw fail(' --clear', 'takes back what was noted, and takes neither a status nor --note', 'CONFIG_CONFLICT');
    return { name, standing: { status: null, until: null, note: null } };
  }
  if (given.length === 0) throw fail('', `needs how things stand: ${statuses}, or --clear`, 'CONFIG_MISSING');
  const { data, error } = standing.safeParse(given.join(' '));
  if (error !== undefined) {
    const quotes = given.length > 1 ? '; put a name of several words in quotes' : '';
    throw fail('', `${error.issues.map(({ message }) => message).join('; ')}${quotes}`);
  }
  return { name, standing: { status: data.status, until: data.until ?? null, note: note ?? null } };
}

interface Subject {
  readonly subject: string;
  readonly shown: string;
}

/** Whom a name means: a workspace, or a key that nobody knows, by its hash or by what the report calls it. */
async function subjectOf(store: string, workspaces: readonly Workspace[], name: string): Promise<Subject> {
  const reader = await openReader(store);
  try {
    const { groups } = await readDirectory(reader, workspaces, [], { since: 0, until: Number.MAX_SAFE_INTEGER });
    const found = groupNamed(groups, name, 'usage mark');
    const [key] = found.keys;
    return { subject: found.origin === 'unknown' && key !== undefined ? hashMark + key.hash : found.name, shown: found.name };
  } finally {
    await reader.close();
  }
}
