/**
 * Addresses that are put together of several variables, `${env.PROTOCOL}://${env.HOST}${env.PREFIX}`: what files set each to says together whose they are.
 * None of them proves anything alone.
 */
import { flat, sliceParts } from '../../evaluate/values/text.ts';
import type { EnvValue, Part } from '../../evaluate/values/values.ts';
import { isVariable } from './follows-default.ts';
import { isLocal } from './hosts.ts';
import { type Bases, matchUrl } from './routes.ts';
import { type Verdict, versionAlone } from '../verdict.ts';

type Values = NonNullable<Bases['setTo']>;

/**
 * @param judge the verdict on an address with the values in it
 * @returns in offsets of the address as it was given; undefined where not all files that set one of the variables lead to us or to a developer's own machine
 */
export function verdictAsSet(
  url: readonly Part[],
  { setTo, v2, variablesOfOthers }: Bases,
  judge: (url: readonly Part[]) => Verdict,
): Verdict | undefined {
  // Where v2 has another host, the parts of that would have to change.
  if (setTo === undefined || v2 !== undefined) return undefined;
  const variables = variablesIn(url);
  if (variables.some(({ name, module }) => variablesOfOthers?.get(name)?.has(module.file) === true)) return undefined;
  const names = variables.flatMap(({ name }) => (setTo.has(name) ? name : []));
  const files = new Set(names.flatMap((name) => [...(setTo.get(name)?.keys() ?? [])]));
  const found = [...files].flatMap((file) => {
    // A file that leaves one open of which others say different things says nothing of this address.
    if (names.some((name) => setTo.get(name)?.has(file) === false && valuesOf(name, setTo).size > 1)) return [];
    const put = url.map((part) => valueOf(part, names, setTo, file) ?? part);
    return [{ put, verdict: judge(put) }];
  });
  const ours = found.flatMap(({ put, verdict }) => (verdict.kind === 'ours' ? [placedIn(url, put, verdict)] : []));
  const isOnlyOurs = found.every(({ verdict }) => verdict.kind === 'ours' || (verdict.kind === 'foreign' && isLocal(verdict.host)));
  const [first] = ours;
  return isOnlyOurs && ours.every((each) => JSON.stringify(each) === JSON.stringify(first)) ? first : undefined;
}

/** Whether a text is the host of one of our bases, and nothing more. */
export const isHostOfOurs = (text: string, { v1 }: Pick<Bases, 'v1'>): boolean =>
  v1.some((base) => new URL(base).host === text || new URL(base).hostname === text);

/** Whether an address is that of one endpoint of ours, as a variable may hold it for all who ask there. */
export function isEndpointOfOurs(text: string, bases: Pick<Bases, 'v1'>): boolean {
  const match = matchUrl(text, bases);
  return match.kind === 'ours' && match.route !== undefined;
}

/** Variables that a file sets to the address of an endpoint of ours. */
export const variablesOfEndpoints = ({ setTo = new Map() }: Pick<Bases, 'setTo'>, bases: Pick<Bases, 'v1'>): string[] =>
  [...setTo].flatMap(([name, values]) =>
    [...values.values()].some((text) => text !== undefined && isEndpointOfOurs(text, bases)) ? name : [],
  );

/** The variables that stand before the path. */
function variablesIn(url: readonly Part[]): EnvValue[] {
  const end = /^(?:[^/:]*:\/\/)?[^/?#]*/.exec(flat(url))?.[0].length ?? 0;
  let at = 0;
  return url.flatMap((part) => {
    const start = at;
    at += lengthOf(part);
    return start < end && isVariable(part) ? part.unknownPart : [];
  });
}

const valuesOf = (name: string, setTo: Values): ReadonlySet<string | undefined> => new Set(setTo.get(name)?.values());

/** What a file sets it to, or where that says nothing, all others. */
function valueOf(part: Part, names: readonly string[], setTo: Values, file: string): Part | undefined {
  if (!isVariable(part) || !names.includes(part.unknownPart.name)) return undefined;
  const { name } = part.unknownPart;
  const text = setTo.get(name)?.has(file) === true ? setTo.get(name)?.get(file) : [...valuesOf(name, setTo)][0];
  return text === undefined ? undefined : { text };
}

/** What is known of the address with the values in it, of the one without; the version may be all of a value. */
function placedIn(url: readonly Part[], put: readonly Part[], verdict: Extract<Verdict, { kind: 'ours' }>): Verdict | undefined {
  const { base, version } = verdict;
  const [first] = url;
  // All up to the path is the variable's.
  if (isVariable(first) && version !== undefined && version.end <= lengthOf(put[0] ?? first))
    return { ...verdict, base: undefined, version: undefined, configured: `env:${first.unknownPart.name}` };
  const end = base === undefined ? undefined : placeIn(url, put, base.end);
  if (end === undefined) return undefined;
  const own = { ...verdict, base: { start: 0, end } };
  if (version === undefined) return own;
  const [from, to] = [placeIn(url, put, version.start), placeIn(url, put, version.end)];
  if (from !== undefined && to === from + 2) return { ...own, version: { start: from, end: to } };
  const [held] = sliceParts(url, end, end + 1);
  const value = put[url.findIndex((part) => part === held)];
  return value !== undefined && isVariable(held) && versionAlone([value]) !== undefined ? { ...own, version: undefined } : undefined;
}

/** @returns undefined within a value */
function placeIn(url: readonly Part[], put: readonly Part[], offset: number): number | undefined {
  let [own, other] = [0, 0];
  for (const [index, part] of url.entries()) {
    const length = lengthOf(put[index] ?? part);
    if (offset === other) return own;
    if (offset < other + length) return put[index] === part ? own + offset - other : undefined;
    own += lengthOf(part);
    other += length;
  }
  return offset === other ? own : undefined;
}

const lengthOf = (part: Part): number => flat([part]).length;
