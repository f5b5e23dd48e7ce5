import type { Endpoint } from '../../contract/endpoints.ts';
import { matchPath } from './paths.ts';

/** What a request is for: its path as sent and its query without the question mark. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** Splits a request target; the absolute form must be accepted too (RFC 9112 §3.2.2). */
export function parseTarget(target: string): Target {
  const origin = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = origin.indexOf('?');
  return mark === -1 ? { path: origin, query: '' } : { path: origin.slice(0, mark), query: origin.slice(mark + 1) };
}

export interface Route<H> {
  readonly endpoint: Endpoint;
  readonly handler: H;
}

interface Match<H> extends Route<H> {
  /** The segment in the place of `:id`, decoded; empty where there is none or it cannot be decoded. */
  readonly id: string;
}

export type FindRoute<H> = (method: string, path: string) => Match<H> | undefined;

/** Looks routes up by whole paths, see `matchPath`. */
export function createRoutes<H>(routes: readonly Route<H>[]): FindRoute<H> {
  const templates = routes.map((route) => ({ route, segments: route.endpoint.path.split('/') }));
  return (method, path) => {
    const sent = path.split('/');
    for (const { route, segments } of templates) {
      const names = route.endpoint.method === method ? matchPath(segments, sent) : undefined;
      if (names !== undefined) return { ...route, id: names['id'] ?? '' };
    }
    return undefined;
  };
}
