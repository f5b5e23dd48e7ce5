/** What every section of the page is made from. */
import type { ClientRow, Report } from '../model.ts';
import type { View } from './view.ts';

export interface Context {
  readonly report: Report;
  /** Rows of a table at most: those of a page of it where there is a view. */
  readonly most: number;
  /** The same of tables beside: a file stays small. */
  readonly fewer: number;
  readonly view: View | undefined;
  /** Clients by their workspaces. */
  readonly clientsOf: ReadonlyMap<string | null, readonly ClientRow[]>;
}

const fewerOfFile = 50;

export const contextOf = (report: Report, most: number, view: View | undefined): Context => ({
  report,
  most,
  fewer: view === undefined ? Math.min(most, fewerOfFile) : most,
  view,
  clientsOf: Map.groupBy(report.clients, ({ workspace }) => workspace),
});
