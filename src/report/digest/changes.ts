/** Who is new, who stopped, and who came back: workspaces as the burn-down tells it, and clients of those that go on. */
import { toleranceOf } from '../burn-down/pauses.ts';
import type { ClientRow, Report, WorkspaceRow } from '../model.ts';
import type { Span } from '../span.ts';
import type { ClientChange, Digest, OfWorkspace, Whom } from './model.ts';

type Changes = Pick<Digest, 'new' | 'left' | 'cameBack' | 'newClients' | 'leftClients'>;

/** @param comparable whether the record can tell which clients are new, and which stopped */
export function changesOf({ burnDown, workspaces, clients }: Report, week: Span, comparable: boolean): Changes {
  const rows = new Map(workspaces.map((row) => [row.name, row]));
  const isKnown = ({ workspace }: { readonly workspace: string }): boolean => rows.get(workspace)?.origin !== 'unknown';
  const withWhom = <Row extends { readonly workspace: string }>(row: Row): Row & Whom => ({ ...whomOf(rows.get(row.workspace)), ...row });
  return {
    cameBack: burnDown.cameBack.filter(isKnown).map(withWhom),
    new: burnDown.new.filter(isKnown).map(withWhom),
    left: burnDown.left.map(withWhom),
    ...(comparable ? clientChanges(clients, rows, week) : { newClients: [], leftClients: [] }),
  };
}

function clientChanges(all: readonly ClientRow[], rows: ReadonlyMap<string, WorkspaceRow>, week: Span) {
  const goesOn = (row: WorkspaceRow | undefined): boolean => row !== undefined && row.now.calls > 0 && !isNew(row, week);
  const clients = all.filter(({ accepted, workspace }) => accepted && workspace !== null && goesOn(rows.get(workspace)));
  const changes = [...Map.groupBy(clients, identityOf).values()].map((versions) => ({
    versions,
    change: versions
      .toSorted((a, b) => (b.lastSeen ?? '').localeCompare(a.lastSeen ?? ''))
      .flatMap((row) => changeOf(row, rows))
      .slice(0, 1),
  }));
  return {
    newClients: changes.filter(({ versions }) => versions.every((row) => isNew(row, week))).flatMap(({ change }) => change),
    leftClients: changes.filter(({ versions }) => hasLeft(versions, week)).flatMap(({ change }) => change),
  };
}

/** What stays the same when a client is updated, or gets another key of its workspace. */
const identityOf = ({ workspace, product, name }: ClientRow): string => JSON.stringify([workspace, product.split('/', 1)[0], name]);

const isNew = ({ firstSeen }: { readonly firstSeen: string | null }, { since }: Span): boolean => firstSeen !== null && firstSeen >= since;

/** Within the week it became clear: quiet for longer than its pauses explain. */
function hasLeft(versions: readonly ClientRow[], { since, until }: Span): boolean {
  const clearFrom = versions.map(({ lastSeen, quiet }) => Date.parse(lastSeen ?? until) + toleranceOf(quiet.longestPause));
  const last = Math.max(...clearFrom);
  return last > Date.parse(since) && last <= Date.parse(until);
}

function changeOf(client: ClientRow, rows: ReadonlyMap<string, WorkspaceRow>): readonly ClientChange[] {
  const { id, product, name, workspace, firstSeen, lastSeen, sources } = client;
  if (workspace === null || firstSeen === null || lastSeen === null) return [];
  const { owner, contact } = whomOf(rows.get(workspace));
  return [{ workspace, owner, contact, id, product, name, network: sources[0]?.network ?? null, first: firstSeen, last: lastSeen }];
}

export const whomOf = (row: WorkspaceRow | undefined): Whom => ({
  owner: row?.owner ?? null,
  contact: row?.contact ?? null,
  calls: row?.now.calls ?? 0,
});

export const ofWorkspace = (row: WorkspaceRow): OfWorkspace => ({ workspace: row.name, ...whomOf(row) });
