/** Uses that bind files without an import: what becomes of a variable or an endpoint in one file decides for the others. */
import type { Finding, Span } from './model.ts';

/** A place that goes by something which others go by, too. */
export interface Use extends Span {
  readonly line: number;
  readonly column: number;
  readonly name: string;
  /** The group that it moves with; undefined where it stays on v1. */
  readonly group: string | undefined;
  /** The place that keeps its group on v1, as `file:line`, where there is one. */
  readonly cause?: string | undefined;
  /** What keeps it as it is, where that is not what stands there. */
  readonly why?: HeldWhy;
  /** Whether no comment there lets it move along. */
  readonly isFixed?: boolean;
}

/** What becomes of a use. */
export type Fate = Pick<Use, 'group' | 'cause'>;

/**
 * Why something holds others: its file could not be read, or is made by a generator, it may be imported by a name that leads to no file, it gives or reads a setting, it sets it to
 * another host, it is a mock, or a mock may stand for it, or for what a package asks;
 * or something unknown is asked for a path of v1, which may be the client, or the same credentials are sent to another host.
 */
export type HeldWhy =
  | 'large'
  | 'unread'
  | 'generated'
  | 'import'
  | 'caller'
  | 'setting'
  | 'host'
  | 'mock'
  | 'expected'
  | 'package'
  | 'credentials';

/** What would have changed, and is left. */
export interface Left extends Span {
  /** What speaks against it. */
  readonly by: string | undefined;
  readonly why?: HeldWhy;
  /** What is set there, if it is not all of the file that stays. */
  readonly name?: string;
}

/** A place that reads or sets a variable of the environment. */
export interface VariableUse extends Use {
  /** Whether it can only move together with the variable's value. */
  readonly needsValue: boolean;
  /** The image that it is set for, where nothing tells whose that is. */
  readonly image?: string | undefined;
  /** Whether it has one of our bases by a default, which says what the variable is for. */
  readonly isByDefault?: boolean;
  /** Whether it is what tests give for it that counts as its default. */
  readonly isByTests?: boolean;
  /** Whether such a default moves beside it, though more than that says what the variable is for. */
  readonly hasDefault?: boolean;
  /** What v2 has in its place, where the variable holds the version and nothing else: `v2`, `/v2`. */
  readonly version?: string;
  /** Whether it is no variable, but an option or argument of the program: others may have one of that name. */
  readonly isGiven?: boolean;
  /** The last name of such a one that a package holds as a setting. */
  readonly setting?: string;
  /** Whether it sets the variable to another host, which is what those get then that have ours by a default. */
  readonly isOther?: boolean;
  /** The base of that host, as it would be given if it is ours. */
  readonly base?: string;
  /** Where commands of scripts that source the file are given the header that it is set to. */
  readonly sentAt?: readonly Span[] | undefined;
  /** The variables of the keys that are sent there, where these are of such alone. */
  readonly keys?: readonly string[];
  /** What is reported of it where a comment lets it read what moves: it holds nothing. */
  readonly allowed?: Pick<Finding, 'code' | 'detail'>;
}

/** A request, or a mock of one that was not seen. */
export interface RouteUse extends Use {
  readonly isMock: boolean;
  /** Whether it is proven to be ours; others only have the same path. */
  readonly isOurs: boolean;
  /** Whether it is proven to be another service's. */
  readonly isOther?: boolean;
  /** Whether it is a mock that names no host, and stands for the calls of this endpoint wherever they go. */
  readonly isOfAnyHost?: boolean;
  /** Whether it watches what a page asks, and nobody else. */
  readonly isOfPage?: boolean;
  /** Whether no page makes it. */
  readonly isPastPages?: boolean;
  /** The path up to its version that would change on the program's own server, where a proxy passes it on. */
  readonly asked?: string;
  /** The same, and where the proxy's own path would change with it. */
  readonly ownPath?: string;
  readonly front?: Front;
}

/** Servers in front of the program that a request comes through. */
export interface Front {
  /** The whole path that is asked there; what is not known of it is a NUL. */
  readonly path: string;
  /** What passes it on. */
  readonly by: readonly Span[];
}
