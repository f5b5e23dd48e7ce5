/** Which requests of a log are calls of v1, by the contract. */
import { unlisted } from '../../contract/endpoints.ts';
import { fits, v1Templates } from '../../contract/route-templates.ts';
import { recordedMethod } from '../deprecated-use.ts';
import { v1Folder } from './line-finder.ts';
import type { LogKind } from './model.ts';

const byMethod = Map.groupBy(v1Templates, ({ endpoint }): string => endpoint.method);

const absolute = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)/i;

/** The host that a target in absolute form names, which is asked whatever Host says (RFC 9112 §3.2.2); empty for any other. */
export const hostOfTarget = (target: string): string => (target.startsWith('/') ? '' : (absolute.exec(target)?.[1] ?? ''));

/** A target without scheme, host, query and fragment: in each of these a key may stand. */
function pathOf(target: string): string {
  const start = target.startsWith('/') ? 0 : (absolute.exec(target)?.[0].length ?? -1);
  if (start === -1) return '';
  const query = target.slice(start).search(/[?#]/);
  return query === -1 ? target.slice(start) : target.slice(start, start + query);
}

/** What may be a path of v1 that is written differently. */
const mayBeV1 = new RegExp(`^/(?:[/.%]|${v1Folder.slice(1)}(?:/|$))`);
const unreserved = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** The segments of a path as servers that are not strict read it: without empty ones, dots, needless escapes and capitals (RFC 3986 §6.2.2). */
function looseSegments(path: string): readonly string[] {
  const plain = path.replace(unreserved, decodeURIComponent).replaceAll(/\/{2,}/g, '/');
  const { pathname } = new URL(`http://v1${plain}`);
  return [
    '',
    ...pathname
      .toLowerCase()
      .split('/')
      .filter((segment) => segment !== ''),
  ];
}

/**
 * The call of v1 that a request is, of an endpoint or `unlisted`; undefined for what is not below it. A path that is written differently is one
 * of an endpoint where it was not refused: whatever is in front of v1 has understood it.
 */
export function v1CallOf(method: string, target: string, status: number): LogKind | undefined {
  const path = pathOf(target);
  const templates = byMethod.get(method === 'HEAD' ? 'GET' : method);
  const segments = path.split('/');
  const found = templates?.find((template) => fits(template, segments));
  const kind = { endpoint: found?.label ?? unlisted, method: recordedMethod(method), status };
  if (found !== undefined) return kind;
  const loose = mayBeV1.test(path) ? looseSegments(path) : [];
  if (loose[1] !== v1Folder.slice(1)) return undefined;
  return wasServed(kind) ? { ...kind, endpoint: templates?.find((template) => fits(template, loose))?.label ?? unlisted } : kind;
}

/** Whether somebody was served, as far as the status tells: who was refused loses nothing with v1. Of a path that it does not have, v1 may say so to anybody. */
export function wasServed({ endpoint, status }: LogKind): boolean {
  if (status === 401 || status === 403 || status === 410) return false;
  return endpoint !== unlisted || status < 400 || status >= 500;
}
