import type { CodeSite } from '../code/model.ts';
import type { Report } from '../model.ts';

/** A call site, and the repository that it is in. */
export interface SiteRow extends CodeSite {
  readonly repository: string;
}

/** The call sites of all repositories. */
export const sitesOf = ({ code }: Report): readonly SiteRow[] =>
  (code?.repositories ?? []).flatMap(({ name, sites }) => sites.map((site) => ({ repository: name, ...site })));
