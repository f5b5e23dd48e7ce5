/** What every section of the page is made from. */
import type { ClientRow, Report } from '../model.ts';
import { byOrigin } from '../text/remarks.ts';
import { chased, workspaceId } from './chase.ts';
import { type Content, html, named } from './escape.ts';
import { addressOf, type View } from './view.ts';

export interface Context {
  readonly report: Report;
  /** Rows of a table at most: those of a page of it where there is a view. */
  readonly most: number;
  /** The same of tables beside: a file stays small. */
  readonly fewer: number;
  readonly view: View | undefined;
  /** Clients by their workspaces. */
  readonly clientsOf: ReadonlyMap<string | null, readonly ClientRow[]>;
  /** Under which the details of workspaces are found on the page, by their names. */
  readonly details: ReadonlyMap<string, string>;
}

const fewerOfFile = 50;
/** A file has the details of so many: of more it would grow too large. */
const detailsOfFile = 40;

export function contextOf(report: Report, most: number, view: View | undefined): Context {
  const { unknown, known, refused } = byOrigin(report);
  // Of those who are SAFE there is nothing to do.
  const rows = [...chased([...unknown, ...known]).filter(({ verdict }) => verdict.state !== 'safe'), ...refused];
  const detailed = view === undefined ? rows.slice(0, detailsOfFile) : rows;
  return {
    report,
    most,
    fewer: view === undefined ? Math.min(most, fewerOfFile) : most,
    view,
    clientsOf: Map.groupBy(report.clients, ({ workspace }) => workspace),
    details: new Map(
      detailed.flatMap((row) => {
        const id = workspaceId(row);
        return id === undefined ? [] : [[row.name, id]];
      }),
    ),
  };
}

/** A workspace by its name, which leads to all that is known of it: on the live page to a page of its own. */
export function linked(name: string, { report: { of }, view, details }: Context): Content {
  if (of?.length === 1) return named(name);
  if (view !== undefined) return html`<a href="${addressOf(view, { workspace: name })}">${named(name)}</a>`;
  const id = details.get(name);
  return id === undefined ? named(name) : html`<a href="#${id}">${named(name)}</a>`;
}
