import type { Endpoint } from '../../contract/endpoints.ts';

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

/** Looks routes up by whole paths: every segment equal to the template's byte for byte, `:id` for one that is not empty. */
export function createRoutes<H>(routes: readonly Route<H>[]): FindRoute<H> {
  const templates = routes.map((route) => ({ route, segments: route.endpoint.path.split('/') }));
  return (method, path) => {
    const segments = path.split('/');
    const found = templates.find(({ route, segments: template }) => route.endpoint.method === method && covers(template, segments));
    if (found === undefined) return undefined;
    return { ...found.route, id: decode(segments[found.segments.indexOf(':id')] ?? '') };
  };
}

function covers(template: readonly string[], segments: readonly string[]): boolean {
  return template.length === segments.length && template.every((part, i) => (part === ':id' ? segments[i] !== '' : part === segments[i]));
}

/** No record has an empty id, so what cannot be decoded (RFC 3986 §2.1) is not found. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
