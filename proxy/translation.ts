/** What a v1 call is on v2. */
import type { Purpose } from './budget/purpose.ts';
import type { CompiledMapping } from './mappings.ts';
import type { Route } from './route.ts';

/** Begun by the head of a request. It never changes: a pass that reads or maps something makes another. */
export interface Translation {
  readonly route: Route;
  /** The successor's path with the ids of this request, percent-encoded as sent. */
  readonly v2Path: string;
  /** Without its question mark, percent-encoded. */
  readonly query: string;
  /** The id in the path, percent-encoded as sent. */
  readonly resourceId: string | undefined;
  readonly v1Key: string;
  readonly v2Key: string;
  /** Whose hour of v2 it is spent of. */
  readonly purpose: Purpose;
  readonly mapping: CompiledMapping | undefined;
  /** Those of the client that go on, and what a mapping made of them: names and values in turn. */
  readonly fields: readonly string[];
  /** What goes to v2; `stream` as it arrives. */
  readonly body: Buffer | 'stream' | undefined;
  /** The body as the client sent it, where it was read. */
  readonly sentBody: Buffer | undefined;
}
