/** The suspicious literals of a file, each of which ends in exactly one state. */
import { v1Auth } from '../../src/contract/auth.ts';
import { endpointIds, v1Endpoints } from '../../src/contract/endpoints.ts';
import type { Bases } from '../verdict/routes.ts';
import type { Place } from './text.ts';

export interface Literal extends Place {
  readonly kind: 'header' | 'our url' | 'route';
  /** The host that a route stands behind, if one does. */
  readonly host: string | undefined;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
const slash = String.raw`\\?\/`;
const words = [...new Set(endpointIds(v1Endpoints).map((id) => v1Endpoints[id].path.split('/')[2] ?? ''))].join('|');

/** Finds `x-api-key`, our bases followed by the version, and paths of v1. */
export function literalsIn(source: string, bases: Bases): Literal[] {
  // JSON may write `\/`.
  const ours = bases.v1.map((base) => `${escaped(base).replaceAll(String.raw`\/`, slash)}${slash}v1\\b`);
  const pattern = new RegExp(
    [
      `(?<header>(?<![\\w-])${v1Auth.field}(?![\\w-]))`,
      ...(ours.length === 0 ? [] : [`(?<ours>${ours.join('|')})`]),
      `(?<host>https?:\\/\\/[^\\s/"'<>]+)?\\/v1\\/(?:${words})\\b`,
    ].join('|'),
    'gi',
  );
  return Array.from(source.matchAll(pattern), ({ index, 0: found, groups = {} }): Literal => {
    const kind = groups['header'] !== undefined ? 'header' : groups['ours'] !== undefined ? 'our url' : 'route';
    return { start: index, end: index + found.length, kind, host: groups['host']?.replace(/^https?:\/\//i, '') };
  });
}
