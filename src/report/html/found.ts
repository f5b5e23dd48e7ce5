/** The rows of a report in which a search finds its text. */
import type { Report } from '../model.ts';

export function foundIn(report: Report, search: string): Report {
  const wanted = search.toLowerCase();
  const has = (texts: readonly (string | null)[]): boolean => texts.some((text) => text?.toLowerCase().includes(wanted));
  return {
    ...report,
    workspaces: report.workspaces.filter(({ name, owner, contact, note, plan, keys }) => has([name, owner, contact, note, plan, ...keys])),
    clients: report.clients.filter(({ product, name, workspace, keyHash, keyPrefix }) =>
      has([product, name, workspace, keyHash, keyPrefix]),
    ),
  };
}
