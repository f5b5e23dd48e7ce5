/** Clients that have an edited header, and nothing more of ours. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat } from '../../evaluate/values/text.ts';
import { optionsOf, partsOf, type Value } from '../../evaluate/values/values.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { verdictOf } from '../../verdict/verdicts.ts';
import type { Taint } from './taint.ts';

/** A client of somebody else's: its host, or the variable that holds one. Or one with our base that stays, as no call of it was seen. */
export type Stranger = { readonly host: string } | { readonly way: 'unasked' };

/** @param variables of the environment, which requests of ours begin with */
export function strangerAmong(
  values: readonly Value[],
  carries: Taint,
  bases: Bases,
  variables: ReadonlySet<string>,
): Stranger | undefined {
  for (const value of values) {
    const base = baseOf(value);
    const isGivenName = base !== undefined && carries(value).some(({ what }) => what === 'header name');
    const stranger = isGivenName ? strangerBy(base, carries, bases, variables) : undefined;
    if (stranger !== undefined) return stranger;
  }
  return undefined;
}

function strangerBy(base: Value, carries: Taint, bases: Bases, variables: ReadonlySet<string>): Stranger | undefined {
  const stays = optionsOf(base).filter((each) => carries(each).length === 0);
  const verdicts = stays.map((each) => ({
    ...verdictOf({ url: partsOf(each), method: undefined, isPrefix: false }, bases),
    text: flat(partsOf(each)),
  }));
  for (const verdict of verdicts) {
    if (verdict.kind === 'foreign' && !verdict.isMadeUp) return { host: verdict.host };
    const isOurs = verdict.kind !== 'foreign' && verdict.kind !== 'unproven' && verdict.kind !== 'v2';
    if (isOurs && /\/v1\/?$/.test(verdict.text)) return { way: 'unasked' };
  }
  const [only] = optionsOf(base).length === 1 ? verdicts : [];
  return only?.kind === 'unproven' && only.env !== undefined && !variables.has(only.env) ? { host: only.env } : undefined;
}

/** The base of a client that the program makes; what tests put there is theirs. */
function baseOf(value: Value): Value | undefined {
  if (value.type !== 'http' || value.stage !== 'client' || value.mock !== undefined || value.base === undefined) return undefined;
  const isOfTest = partsOf(value.base).some((part) => 'text' in part && part.source !== undefined && isTest(part.source.module));
  return isOfTest ? undefined : value.base;
}
