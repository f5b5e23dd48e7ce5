/** What somebody looks at on the live page. A file has no view: nothing in it can be asked for. */
export interface View {
  readonly search: string;
  /** By table: the column, with a minus where the largest come first. */
  readonly sort: Readonly<Record<string, string>>;
  /** By table: which page of it, from 1. */
  readonly pages: Readonly<Record<string, number>>;
  /** Whether workspaces stand together by their owner. */
  readonly group: 'workspace' | 'owner';
  /** The one workspace that the page is about. */
  readonly workspace: string | undefined;
  /** In which zone instants are written; a script puts them into that of the browser. */
  readonly times: 'utc' | 'local';
  /** The query of the view, for addresses that carry it on. */
  readonly query: string;
}

/** An address that carries the view, with something changed; relative, so that it holds behind a prefix of the path as well. */
export function addressOf(view: Pick<View, 'query'>, changed: Readonly<Record<string, string>>, path = 'usage'): string {
  const query = new URLSearchParams(view.query);
  for (const [name, value] of Object.entries(changed)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
