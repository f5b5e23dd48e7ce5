/** Which requests of a log are calls of v1, by the contract. */
import { unlisted } from '../../contract/endpoints.ts';
import { fits, v1Templates } from '../../contract/route-templates.ts';
import { recordedMethod } from '../deprecated-use.ts';
import { v1Folder } from './line-finder.ts';
import type { LogKind } from './model.ts';

const byMethod = Map.groupBy(v1Templates, ({ endpoint }): string => endpoint.method);

/** A target without scheme, host, query and fragment: in each of these a key may stand. */
function pathOf(target: string): string {
  let start = 0;
  if (!target.startsWith('/')) {
    const host = target.indexOf('://');
    start = host === -1 ? -1 : target.indexOf('/', host + 3);
    if (start === -1) return '';
  }
  const query = target.slice(start).search(/[?#]/);
  return query === -1 ? target.slice(start) : target.slice(start, start + query);
}

/**
 * The call of v1 that a request is; undefined for any other.
 * @param ownHost whether the log is of v1's host alone: elsewhere other services have paths below `/v1`, too
 */
export function v1CallOf(method: string, target: string, status: number, ownHost: boolean): LogKind | undefined {
  const path = pathOf(target);
  if (!path.startsWith(v1Folder)) return undefined;
  const segments = path.split('/');
  const found = byMethod.get(method === 'HEAD' ? 'GET' : method)?.find((template) => fits(template, segments));
  if (found === undefined && (!ownHost || (path.length > v1Folder.length && path[v1Folder.length] !== '/'))) return undefined;
  return { endpoint: found?.label ?? unlisted, method: recordedMethod(method), status };
}

/** Whether somebody was served, as far as the status tells: who was refused loses nothing with v1. Of a path that it does not have, v1 may say so to anybody. */
export function wasServed({ endpoint, status }: LogKind): boolean {
  if (status === 401 || status === 403 || status === 410) return false;
  return endpoint !== unlisted || status < 400 || status >= 500;
}
