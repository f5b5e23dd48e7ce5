/** What a server, or what stands before one, passes on. */
import type { Node } from '../../syntax/tree.ts';
import type { Value } from '../values/values.ts';

/** Requests to the program's own server that are passed on. */
export interface Proxied {
  /** Below which path of the own server, if that is known. */
  readonly mount?: Value;
  /** Whether the path of what is passed on begins after the mount's; otherwise with it. */
  readonly isCut: boolean;
  /** The host once more, as what is passed on is told it. */
  readonly hosts?: readonly Value[];
  /** The server that it is one of, where that stands in front of the program's own. */
  readonly server?: Node;
}
