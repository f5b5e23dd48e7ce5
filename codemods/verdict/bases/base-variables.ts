/** The variables and options that a request of ours takes its base or version from. */
import { type Given, givenIn } from '../../evaluate/libraries/given.ts';
import { flat, sliceParts } from '../../evaluate/values/text.ts';
import type { EnvValue, Value } from '../../evaluate/values/values.ts';
import type { Request } from '../../requests/requests.ts';
import { envOf } from './environment.ts';
import type { Verdict } from '../verdict.ts';
import { openBase, versionVariable } from '../verdicts.ts';

export interface GivenBase extends Given {
  readonly holdsVersion: boolean;
}

export interface HeldVariable {
  readonly value: EnvValue;
  readonly holdsVersion: boolean;
  /** Whether it is a test that says what it is for, and no default. */
  readonly isBesideTests: boolean;
}

interface Held {
  readonly variable: HeldVariable | undefined;
  readonly given: readonly GivenBase[];
}

/** The variable that its version is taken from, without a default. */
export function ownVersion({ url = [] }: Request, verdict: Verdict): EnvValue[] {
  if (verdict.kind !== 'ours' || verdict.version !== undefined) return [];
  const end = verdict.base?.end ?? 1;
  // `${env.HOST}${env.PREFIX}`, of which the second begins with the slash.
  const [part] = verdict.base === undefined ? [] : sliceParts(url, end, end + 1);
  return [versionVariable(url, end) ?? envOf(part) ?? []].flat();
}

/** What goes on behind a variable that is a scheme, a host, or a part of one. */
const restOfAuthority = /^(?::\/\/|[.:])[^/?#]*/;

/** @param byDefault the same request with what the base is the default of */
export function baseVariableOf(verdict: Verdict, byDefault: readonly Request[]): Held {
  const found = verdict.kind === 'ours' ? byDefault : [];
  const held = found.flatMap(({ url = [], isBesideTests = false }) => {
    const open = openBase({ url });
    if (open === undefined) return [];
    // The default holds the version where what follows the variable does not, which may be another variable.
    const { length } = flat(url).slice(0, open.at + 1) + (restOfAuthority.exec(flat(url).slice(open.at + 1))?.[0] ?? '');
    const isBehind = /^\/v1(?:\/|$)/.test(flat(url).slice(length)) || versionVariable(url, length) !== undefined;
    return [{ ...open, holdsVersion: !isBehind, isBesideTests }];
  });
  const variables = held.flatMap(({ value, ...about }) => (value.type === 'env' ? [{ value, ...about }] : []));
  return {
    variable: variables.find(({ holdsVersion }) => holdsVersion) ?? variables[0],
    given: held.flatMap(({ value, holdsVersion }) => givenAs([value], holdsVersion)),
  };
}

export const givenAs = (values: readonly Value[], holdsVersion: boolean): GivenBase[] =>
  values.flatMap((value) => {
    const by = givenIn(value);
    return by === undefined ? [] : [{ ...by, holdsVersion }];
  });
