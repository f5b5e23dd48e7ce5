/** All files that are no scripts at once: a variable is proven by the file that sets it, and read by others. */
import { posix } from 'node:path';
import { type TextPlan, analyseText } from '../component/analyse-text.ts';
import { type ReadFile, type TextFile, readFile, scripts } from '../formats/reader.ts';
import type { Setting } from '../formats/reading.ts';
import { coverOf } from '../formats/text.ts';
import { type Bases, isBeginning } from '../verdict/bases/routes.ts';
import { isLocal } from '../verdict/bases/hosts.ts';
import { flat, isAbsolute, unknownPart } from '../evaluate/values/text.ts';
import type { Part } from '../evaluate/values/values.ts';
import { isEndpointOfOurs, isHostOfOurs } from '../verdict/bases/composed-of-variables.ts';
import { standInOrigin } from '../verdict/bases/set-variables.ts';
import { prefixVerdict } from '../verdict/verdicts.ts';
import { type Verdict, versionAlone } from '../verdict/verdict.ts';

export { variablesOfOthers } from './variable-owners.ts';

/**
 * Each file is read once, however often its requests are judged anew.
 * @param others that may have to do with these: scripts that source one, what stands above and below requests of a collection
 */
export function readFiles(files: readonly TextFile[], others: readonly TextFile[] = files): ReadFile[] {
  const alike = Map.groupBy(others, ({ kind }) => kind);
  const besideUnits = [...(alike.get('other') ?? []), ...(alike.get('shell') ?? [])];
  return files.map((file) => readFile(file, file.kind === 'other' ? besideUnits : alike.get(file.kind)));
}

/** The code blocks of documents, by their numbers, that no engine could read. */
export type UnreadBlocks = ReadonlyMap<string, ReadonlySet<number>>;

/** What no engine reads is text as any other: it is reported, whatever it says of v1. */
function withUnread(read: ReadFile, blocks: ReadonlySet<number> | undefined): ReadFile {
  if (blocks === undefined) return read;
  const { source, kind, reading } = read;
  const isUnread = coverOf(scripts({ file: source.file, kind, text: source.text }).filter((_, index) => blocks.has(index)));
  return { ...read, reading: { ...reading, elsewhere: reading.elsewhere.filter((each) => !isUnread(each)) } };
}

/**
 * Analyses the files with what they prove for each other.
 * @param bases `env`: also the variables that code proves
 * @param named variables that the user named: what a file sets them to is ours, too; others may be another's in another folder
 * @returns one plan for each file, in their order
 */
export function analyseTexts(
  all: readonly ReadFile[],
  bases: Bases,
  named: ReadonlySet<string> = bases.env,
  unread: UnreadBlocks = new Map(),
): TextPlan[] {
  const files = all.map((file) => withUnread(file, unread.get(file.source.file)));
  let proven = { ...bases, env: named };
  let plans = files.map((file) => analyseText(file, proven));
  const others = othersIn(plans);
  const open = [...bases.env].filter((name) => !others.has(name));
  // A variable of the base makes requests ours, and these the variable that they have the version from. Most runs prove nothing more.
  for (;;) {
    const env = new Set([...proven.env, ...open, ...namesIn(plans, others)]);
    const versions = new Set([...(proven.versions ?? []), ...versionsIn(plans)]);
    if (env.size === proven.env.size && versions.size === (proven.versions?.size ?? 0)) return plans;
    const more = { ...bases, env, versions };
    proven = more;
    plans = files.map((file) => analyseText(file, more));
  }
}

/** Variables that requests which move take their version from. */
const versionsIn = (plans: readonly TextPlan[]): string[] =>
  plans.flatMap(({ variables }) =>
    variables.flatMap(({ name, group, version }) => (version !== undefined && group !== undefined ? name : [])),
  );

/** Variables that files set to our base, and none to another service, but for programs that are none of those which read ours. */
export function provenEnvs(files: readonly ReadFile[], bases: Bases): ReadonlySet<string> {
  const plans = files.map((file) => analyseText(file, bases));
  return new Set(namesIn(plans, othersIn(plans)));
}

/** Variables that files set to our base, and others to that of another service. */
export function doubtfulEnvs(files: readonly ReadFile[], bases: Bases): ReadonlySet<string> {
  const plans = files.map((file) => analyseText(file, bases));
  const others = othersIn(plans);
  return new Set(namesIn(plans, new Set()).filter((name) => others.has(name)));
}

/** What each file sets variables to, if any sets one to our host; undefined where it says two things of one. */
export function setTo(files: readonly ReadFile[], bases: Bases): NonNullable<Bases['setTo']> {
  const found = new Map<string, Map<string, string | undefined>>();
  let isAnyOurs = false;
  for (const { source, reading } of files)
    for (const [name = '', settings] of Map.groupBy(reading.settings.filter(isOwn), (setting) => setting.name)) {
      const texts = new Set(settings.flatMap(({ requests }) => requests.map(({ url = [] }) => flat(url))));
      const known = [...texts].filter((text) => !text.includes(unknownPart));
      if (name === '' || known.length === 0) continue;
      found.set(name, (found.get(name) ?? new Map<string, string>()).set(source.file, known.length === 1 ? known[0] : undefined));
      isAnyOurs ||= known.some((text) => isHostOfOurs(text, bases) || isBeginning(text, bases) || isEndpointOfOurs(text, bases));
    }
  return isAnyOurs ? found : new Map();
}

/** Variables that files set to the version of v1, or to an address with it behind, and to nothing else. */
export const setToV1 = (files: readonly ReadFile[]): ReadonlySet<string> =>
  alwaysSet(files, (url) => versionAlone(url) !== undefined || /^https?:\/\/.*\/v1\/?$/s.test(flat(url)));

/** Variables that a `.env` file sets to our address for all that is built beside it, by its folder: `.env.production` leaves development without. A file that gives one a path sends pages elsewhere. */
export function setForBuilds(files: readonly ReadFile[], bases: Bases): ReadonlyMap<string, ReadonlySet<string>> {
  const always = alwaysSet(files, (url) => isAbsolute(flat(url)));
  const found = new Map<string, Set<string>>();
  for (const { source, reading } of files.filter(({ source: { file } }) => /(?:^|\/)\.env$/.test(file)))
    for (const { name = '', requests } of reading.settings.filter(isOwn)) {
      const isOurs = requests.every(({ url = [] }) => ['ours', 'passes-on'].includes(prefixVerdict(url, bases).kind));
      if (isOurs && always.has(name)) found.set(name, (found.get(name) ?? new Set()).add(posix.dirname(source.file)));
    }
  return found;
}

/** Variables that files set to our address with v2 behind it, and to nothing else but a server of a developer's own, or a path of the program's own with v2. */
export function setToV2(files: readonly ReadFile[], bases: Bases): ReadonlySet<string> {
  const isLocalV2 = (url: readonly Part[]): boolean => isOwnMachine(prefixVerdict(url, bases)) || /\/v2\/?$/.test(ownPath(url) ?? '');
  const local = alwaysSet(files, isLocalV2);
  const fitting = alwaysSet(files, (url) => isLocalV2(url) || prefixVerdict(url, bases).kind === 'v2');
  return new Set([...fitting].filter((name) => !local.has(name)));
}

/** The servers of tests that files set variables to. */
export const setToStandIn = (files: readonly ReadFile[], { v1 }: Bases): ReadonlyMap<string, ReadonlySet<string>> =>
  valuesSet(files, (url) => standInOrigin(url, v1));

/** The paths of the program's own server that files set variables to, which are nothing else but our address or a server of a developer's own. */
export function setToPaths(files: readonly ReadFile[], bases: Bases): ReadonlyMap<string, ReadonlySet<string>> {
  const fitting = alwaysSet(files, (url) => {
    const verdict = prefixVerdict(url, bases);
    return ownPath(url) !== undefined || verdict.kind === 'ours' || verdict.kind === 'passes-on' || isOwnMachine(verdict);
  });
  return new Map([...valuesSet(files, ownPath)].filter(([name]) => fitting.has(name)));
}

const ownPath = (url: readonly Part[]): string | undefined => /^(?:\/[\w.-]+)+\/?$/.exec(flat(url))?.[0];

/** Whether it is not for a program that somebody else made. */
const isOwn = ({ isOfOthers }: Setting): boolean => isOfOthers !== true;

function valuesSet(
  files: readonly ReadFile[],
  valueOf: (url: readonly Part[]) => string | undefined,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name, requests } of files.flatMap(({ reading }) => reading.settings.filter(isOwn)))
    for (const { url = [] } of requests) {
      const value = valueOf(url);
      if (name !== undefined && value !== undefined) found.set(name, (found.get(name) ?? new Set()).add(value));
    }
  return found;
}

const isOwnMachine = (verdict: Verdict): boolean => verdict.kind === 'foreign' && isLocal(verdict.host);

function alwaysSet(files: readonly ReadFile[], isSo: (url: readonly Part[]) => boolean): ReadonlySet<string> {
  const settings = files.flatMap(({ reading }) => reading.settings.filter(isOwn));
  const isAll = ({ requests }: (typeof settings)[number]): boolean => requests.length > 0 && requests.every(({ url = [] }) => isSo(url));
  const others = new Set(settings.flatMap((setting) => (isAll(setting) ? [] : (setting.name ?? []))));
  return new Set(settings.flatMap(({ name = '' }) => (name === '' || others.has(name) ? [] : name)));
}

const namesIn = (plans: readonly TextPlan[], others: ReadonlySet<string>): string[] =>
  plans.flatMap(({ envs }) => envs.flatMap(({ name, isBase }) => (isBase && !others.has(name) ? name : [])));

const othersIn = (plans: readonly TextPlan[]): ReadonlySet<string> =>
  new Set(plans.flatMap(({ otherEnvs }) => otherEnvs.map(({ name }) => name)));
