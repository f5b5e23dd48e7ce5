/** Functions of a script: what they run is read once for each call, with what the call gives in the place of `$1` and `"$@"`. */
import { type Text, join, slice, splitAtBlanks } from '../text.ts';
import { expansions, referencesIn, scopeOf } from '../variables.ts';
import { isOutsideQuotes } from './headers.ts';
import { nameIn } from './lists.ts';
import type { Assigned, Run } from './runs.ts';

/** A command, with what the functions set that it is in, the innermost last. */
export interface Unfolded {
  readonly run: Run;
  readonly locals: readonly (readonly Assigned[])[];
}

interface Body {
  readonly runs: readonly Run[];
  /** What of it goes by what a call gives. */
  readonly dependent: ReadonlySet<Run>;
  readonly sets: readonly Assigned[];
  /** Whether it goes through what it is given, so that nobody can say what `$1` is. */
  readonly isLooping: boolean;
}

/** Commands that are read for one script beside its own, calls of functions by functions among them. */
const maxCalls = 1_000;
const maxDepth = 8;

/**
 * @param isRead whether a command is understood without its functions
 * @param elsewhere commands of scripts that source this one
 */
export function unfolded(runs: readonly Run[], isRead: (run: Run) => boolean, elsewhere: readonly (readonly Text[])[] = []): Unfolded[] {
  const bodies = bodiesOf(runs);
  if (bodies.size === 0) return runs.map((run) => ({ run, locals: [] }));
  const called = new Set(runs.flatMap((run) => (nameOf(run) === run.within || isRead(run) ? [] : nameOf(run))));
  for (const [name] of elsewhere) if (name !== undefined) called.add(name.value);
  const found: Unfolded[] = [];
  let left = runs.length + maxCalls;
  const visit = (run: Run, locals: Unfolded['locals'], within: readonly string[]): void => {
    if (left-- <= 0) return;
    const name = nameOf(run);
    const body = isRead(run) || within.includes(name) || within.length > maxDepth ? undefined : bodies.get(name);
    if (body === undefined || body.isLooping) return void found.push({ run, locals });
    const given = run.words.slice(1).map((word) => locals.reduceRight(withLocals, word));
    const bound = bind(body, given);
    for (const each of bound.runs) visit({ ...each, start: run.start, end: run.end }, [...locals, bound.sets], [...within, name]);
  };
  for (const run of runs) {
    const body = run.within === undefined ? undefined : bodies.get(run.within);
    if (body === undefined || run.within === undefined) visit(run, [], []);
    else if (body.isLooping || !called.has(run.within) || !body.dependent.has(run)) visit(run, [body.sets], [run.within]);
  }
  for (const [name, ...given] of elsewhere) {
    const body = bodies.get(name?.value ?? '');
    if (name === undefined || body === undefined || body.isLooping) continue;
    const bound = bind(body, given);
    for (const each of bound.runs) visit(each, [bound.sets], [name.value]);
  }
  // Too many to say anything of one.
  return left < 0 ? runs.map((run) => ({ run, locals: [bodies.get(run.within ?? '')?.sets ?? []] })) : found;
}

/** What a function gives on, with what it set itself. */
export function withLocals(text: Text, sets: readonly Assigned[]): Text {
  const [only, another] = expansions(text, scopeOf(sets.filter(({ items }) => items === undefined)));
  if (only === undefined || another !== undefined) return text;
  const isSplit = only.value !== text.value && referencesIn(text.value).some(({ start }) => isOutsideQuotes(text, start));
  return isSplit ? splitAtBlanks(only) : only;
}

const nameOf = ({ words: [first] }: Run): string => first?.value ?? '';

const positional = /\$(?:[\d@*]|\{[\d@*])/;

function bodiesOf(runs: readonly Run[]): ReadonlyMap<string, Body> {
  const byName = Map.groupBy(runs, ({ within = '' }) => within);
  byName.delete('');
  return new Map([...byName].map(([name, own]) => [name, bodyOf(own)]));
}

function bodyOf(runs: readonly Run[]): Body {
  const open = new Set<string>();
  const isOpen = ({ value }: Text): boolean =>
    positional.test(value) || referencesIn(value).some(({ name }) => open.has(name)) || open.has(nameIn(value) ?? '');
  const isSetOpen = ({ value, items = [] }: Assigned): boolean => [value, ...items].some(isOpen);
  for (const { sets } of runs) for (const each of sets) if (isSetOpen(each)) open.add(each.name);
  const dependent = new Set(runs.filter(({ words, sets }) => words.some(isOpen) || sets.some(isSetOpen)));
  const moves = runs.filter((run) => /^(?:shift|getopts)$/.test(nameOf(run)) || (nameOf(run) === 'set' && !isOption(run.words[1])));
  const isLooping = moves.length > 1 || moves.some((run) => nameOf(run) !== 'shift');
  const names = new Set(runs.flatMap((run) => run.sets.flatMap((each) => (each.isLocal || isSetOpen(each) ? each.name : []))));
  const sets = runs.flatMap((run) => run.sets.filter(({ name }) => names.has(name)));
  return { runs, dependent: new Set([...dependent, ...moves]), sets, isLooping };
}

/** `set -e`, and not `set -- …` */
const isOption = (word: Text | undefined): boolean => /^[-+]\w/.test(word?.value ?? '');

/** What is set in a function, and not for all. */
export const isOwn = ({ value, items = [], isLocal }: Assigned): boolean =>
  isLocal || [value, ...items].some((text) => positional.test(text.value));

/** A body as a call runs it. */
function bind(
  { runs, dependent, sets }: Body,
  given: readonly Text[],
): { readonly runs: readonly Run[]; readonly sets: readonly Assigned[] } {
  let left = given;
  const own = new Set(sets);
  const bound: Run[] = [];
  const set: Assigned[] = [];
  for (const run of runs) {
    set.push(...run.sets.flatMap((each) => (own.has(each) ? boundSet(each, left) : [])));
    if (nameOf(run) === 'shift') left = left.slice(Number(run.words[1]?.value ?? 1));
    else if (dependent.has(run))
      bound.push({ ...run, words: boundWords(run.words, left), sets: run.sets.map((each) => boundSet(each, left)) });
  }
  return { runs: bound, sets: set };
}

const boundSet = (each: Assigned, given: readonly Text[]): Assigned => ({
  ...each,
  value: boundText(each.value, given),
  items: each.items && boundWords(each.items, given),
});

function boundWords(words: readonly Text[], given: readonly Text[]): Text[] {
  return words.flatMap((word) => {
    const passed = isOutsideQuotes(word) ? given.map(splitAtBlanks) : given;
    if (/^\$(?:[@*]|\{[@*]\})$/.test(word.value)) return passed;
    const [, from] = /^\$\{@:(\d)\}$/.exec(word.value) ?? [];
    return from === undefined ? boundText(word, given, isOutsideQuotes) : passed.slice(Number(from) - 1);
  });
}

const parameter = /\$(?:(?<a>\d)|\{(?<b>\d)(?::?[-=?](?<fallback>[^{}]*))?\})/g;

/** @param isSplit whether what is put in at an offset is split at its blanks: not where it is assigned */
function boundText(text: Text, given: readonly Text[], isSplit: (text: Text, at: number) => boolean = () => false): Text {
  const parts: Text[] = [];
  let at = 0;
  for (const { index, 0: found, groups = {} } of text.value.matchAll(parameter)) {
    const number = Number(groups['a'] ?? groups['b']);
    const end = index + found.length;
    const fallback = groups['fallback'] === undefined ? [] : [slice(text, end - 1 - groups['fallback'].length, end - 1)];
    if (number === 0) continue;
    const put = given[number - 1];
    parts.push(slice(text, at, index), ...(put === undefined ? fallback : [isSplit(text, index) ? splitAtBlanks(put) : put]));
    at = end;
  }
  return join([...parts, slice(text, at)]);
}
