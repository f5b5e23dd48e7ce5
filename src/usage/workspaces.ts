import type { Plan } from '../contract/plans.ts';
import type { Caller, MarkStatus } from './model.ts';

/** Whose keys are whose, as the configuration has it. */
export interface Workspace {
  readonly name: string;
  readonly plan?: Plan | undefined;
  readonly owner?: string | undefined;
  readonly contact?: string | undefined;
  readonly note?: string | undefined;
  /** Of letters to it, as in `lang`. */
  readonly language?: string | undefined;
  /** How things stand with it; the day as the first instant of it. */
  readonly status?: { readonly status: MarkStatus; readonly until: number | undefined } | undefined;
  /** The longest time between two runs of any of its jobs, in milliseconds. */
  readonly rarestJob?: number | undefined;
  /** Prefixes of keys, or `hash:` and the hash of a key in the record. */
  readonly keys: readonly string[];
}

/** The same as a program gives it. */
export interface WorkspaceOption extends Omit<Workspace, 'rarestJob' | 'status'> {
  /** `contacted`, `promised 2026-12-10`, `snoozed` or `snoozed 2026-12-10`. */
  readonly status?: string | undefined;
  /** The longest time between two runs of any of its jobs, such as `92d`. */
  readonly rarestJob?: string | undefined;
}

export const hashMark = 'hash:';

/** Whether what a configuration says of keys means a recorded one. A longer prefix than the recorded one proves nothing. */
export function meansKey(given: string, { keyHash, keyPrefix }: Pick<Caller, 'keyHash' | 'keyPrefix'>): boolean {
  if (keyHash === null || keyPrefix === null) return false;
  return given.startsWith(hashMark) ? given.slice(hashMark.length) === keyHash : keyPrefix.startsWith(given);
}

/**
 * Makes the function that finds the workspace of a key; of several, that of the hash, or else of the longest prefix.
 * @returns takes the whole key where it is at hand, as in the proxy
 */
export function workspaceOfKey(workspaces: readonly Workspace[]): (key: string, hash: string) => Workspace | undefined {
  const { byHash, prefixes } = indexOf(workspaces);
  return (key, hash) => byHash.get(hash) ?? prefixes.find(({ prefix }) => key.startsWith(prefix))?.workspace;
}

/**
 * Makes the function that finds the workspace of a recorded caller, of whose key only the beginning is known.
 * @returns undefined where a longer prefix may be meant as well: a wrong owner is worse than none, and the record has a label of its own
 */
export function workspaceOfCaller(
  workspaces: readonly Workspace[],
): (caller: Pick<Caller, 'keyHash' | 'keyPrefix'>) => Workspace | undefined {
  const { byHash, prefixes } = indexOf(workspaces);
  return ({ keyHash, keyPrefix }) => {
    if (keyHash === null || keyPrefix === null) return undefined;
    const found = byHash.get(keyHash);
    if (found !== undefined) return found;
    const longest = prefixes.find(({ prefix }) => keyPrefix.startsWith(prefix) || prefix.startsWith(keyPrefix));
    return longest !== undefined && keyPrefix.startsWith(longest.prefix) ? longest.workspace : undefined;
  };
}

function indexOf(workspaces: readonly Workspace[]) {
  const keys = workspaces.flatMap((workspace) => workspace.keys.map((key) => ({ key, workspace })));
  return {
    byHash: new Map(
      keys.filter(({ key }) => key.startsWith(hashMark)).map(({ key, workspace }) => [key.slice(hashMark.length), workspace]),
    ),
    /** The longest first. */
    prefixes: keys
      .filter(({ key }) => !key.startsWith(hashMark))
      .map(({ key, workspace }) => ({ prefix: key, workspace }))
      .toSorted((a, b) => b.prefix.length - a.prefix.length),
  };
}
