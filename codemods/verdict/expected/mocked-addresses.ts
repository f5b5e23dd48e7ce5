/** What an expectation says of an address beside its host. */
import { flat } from '../../evaluate/values/text.ts';
import type { Request } from '../../requests/requests.ts';
import type { Range } from '../verdict.ts';

/** The path of an expectation from its version on; patterns end where their first wildcard is. A client that is made with a base is asked below the version. */
export function pathIn({ expects, url }: Request, version: Range | undefined): string | undefined {
  if (url === undefined) return undefined;
  if (version === undefined) return belowVersion(flat(url));
  const path = `/${flat(url).slice(version.start)}`;
  return expects === 'part' ? path.replace(/\*.*$/s, '') : path;
}

/** `/contacts/7` of `client.get('/contacts/7')`. */
function belowVersion(text: string): string | undefined {
  const [, path] = /^\/?([a-z][\w-]*(?:\/[^?#]*)?)(?:[?#]|$)/.exec(text) ?? [];
  return path && `/v1/${path}`;
}

/** What a pattern has between its wildcard and the version: the path of a server in between, as in a glob that ends in `/bff/v1/contacts`. */
export function beforeIn({ expects, url }: Request, version: Range | undefined): string {
  if (expects !== 'part' || url === undefined || version === undefined) return '';
  const [, before = ''] = /\*([^*]*)$/.exec(flat(url).slice(0, version.start).replace(/\/$/, '')) ?? [];
  return before;
}

/** A glob whose only wildcard stands for the host says all of the path, and nothing of the query; one that is put before a pattern says no more than that. */
export function isToEnd({ expects, url = [] }: Pick<Request, 'expects' | 'url'>): boolean {
  const [first] = url;
  const isWritten = first !== undefined && 'text' in first && first.source !== undefined;
  return isWritten && expects === 'part' && /^\*[^*]*$/.test(flat(url).replace('**', '*'));
}

/** @param isWhole whether the path ends where the expectation does */
export function isAskedIn(url: string, path: string, isWhole: boolean): boolean {
  const at = url.indexOf(path);
  return at !== -1 && !(isWhole && url[at + path.length] === '/');
}

/** The version as a segment; a path that a client puts behind its base may begin with it. */
export function versionIn(text: string): Range | undefined {
  const at = text.search(/(?<=\/)v1(?=[/?#]|$)|^v1(?=\/\w)/);
  return at === -1 ? undefined : { start: at, end: at + 2 };
}
