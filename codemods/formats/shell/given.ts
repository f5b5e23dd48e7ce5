/**
 * What a script gives its variables to: before one command, or by `export` to all that it runs afterwards. A program that a package made has there what
 * the project's own have, and what it does with that is not known.
 */
import { isMakefile } from '../../find/kinds.ts';
import { basename } from 'node:path/posix';
import { memoOf } from '../../once.ts';
import type { ForeignScript, PassedOn, Program, Stretch } from '../reading.ts';
import { type Text, type TextRange, plain, unplaced } from '../text.ts';
import type { Definition, Scope } from '../variables.ts';
import { commandOf, programOfMachine, runsOwn, scriptsOf } from './others.ts';
import { givenIn } from './programs.ts';
import { type Assigned, type Run, understand } from './runs.ts';
import { sourcedBy } from './sourced.ts';
import { commandsIn } from './words.ts';

export interface Given {
  /** What a variable is set for, where that is one program. */
  readonly programs: ReadonlyMap<Assigned, Program>;
  /** What programs of others share with the project's. */
  readonly passedOn: readonly PassedOn[];
}

/** @param runs all commands of a script, in order */
export function givenBy(runs: readonly Run[], stretch: Stretch, scope: Scope): Given {
  const startedBy = startedIn(stretch);
  const isOthers = memoOf(othersIn(runs, stretch.text));
  const runsOurs = memoOf(runsOwn);
  const [started, interpreting] = [startedBy(runs), startedBy(placedIn(scriptsOf(runs), stretch))];
  const programs = new Map<Assigned, Program>();
  const passedOn: PassedOn[] = [];
  for (const run of runs) {
    const exported = run.sets.filter((each) => each.exported);
    const named = exportedElsewhere(run, runs);
    if (exported.length === 0 && named.length === 0) continue;
    if (exported.length > 0 && run.words.length > 0) {
      const program = commandOf(run);
      if (program !== undefined && (program.isOwn !== false || isOthers(run))) for (const each of exported) programs.set(each, program);
      continue;
    }
    const behind = started(run);
    const other = behind.find(isOthers);
    const scripts = interpreting(run).map(({ script }) => script);
    const isShared = behind.some(runsOurs);
    passedOn.push(...givenToScripts(isShared ? [...exported, ...named] : named, scripts, stretch, scope));
    if (other === undefined && !isShared && scripts.length > 0)
      for (const each of exported) programs.set(each, { name: '', isOwn: true, scripts });
    if (other === undefined) continue;
    if (isShared) passedOn.push(...givenIn([...exported, ...named], other, stretch, scope));
    else for (const each of exported) programs.set(each, commandOf(other) ?? { name: '', isOwn: false });
  }
  return { programs, passedOn };
}

/** @returns what counts only where one of the scripts is none of these files */
function givenToScripts(sets: readonly Definition[], scripts: readonly ForeignScript[], stretch: Stretch, scope: Scope): PassedOn[] {
  return scripts.length === 0 ? [] : givenIn(sets, { start: 0, end: 0 }, stretch, scope).map((each) => ({ ...each, scripts }));
}

/** Scripts with where they stand in their file, each where it is run at last: whatever has it at all has it there. */
function placedIn(found: ReturnType<typeof scriptsOf>, stretch: Stretch): (TextRange & { readonly script: ForeignScript })[] {
  const last = new Map<string, TextRange & { readonly script: ForeignScript }>();
  for (const { scripts } of found)
    for (const { paths, start, end } of scripts)
      last.set(paths.join(' '), { start, end, script: { paths, start: stretch.start + start, end: stretch.start + end } });
  return [...last.values()];
}

/** What a command exports that others set: `export NAME`, `set -a`, `export` and `.EXPORT_ALL_VARIABLES` of Make. */
function exportedElsewhere({ exports, words }: Run, runs: readonly Run[]): Definition[] {
  const command = words.map(({ value }) => value).join(' ');
  const isAll = exports === 'all' || /^(?:set -\w*a\w*|set -o allexport|\.EXPORT_ALL_VARIABLES:)(?: |$)/.test(command);
  const names = isAll ? runs.flatMap(({ sets }) => sets.flatMap(({ name, isLocal }) => (isLocal ? [] : name))) : (exports ?? []);
  return [...new Set(names)].map((name) => ({ name, value: unplaced(`\${${name}}`) }));
}

/** What is run with what a command exports: in a shell all behind it, in a recipe of Make wherever it stands, and of an image what a container starts. */
function startedIn({ source: { file }, text }: Stretch): <Each extends TextRange>(all: readonly Each[]) => (run: Run) => readonly Each[] {
  const lineOf = ({ start }: TextRange): string => text.slice(text.lastIndexOf('\n', start - 1) + 1, start + 'ENTRYPOINT'.length);
  const name = basename(file);
  const isDocker = /^(?:Docker|Container)file|\.dockerfile$/i.test(name);
  if (isDocker || isMakefile(name)) {
    const starts = isDocker ? /^\s*(?:CMD|ENTRYPOINT)\b/i : /^\t/;
    return (all) => {
      const kept = all.filter((each) => starts.test(lineOf(each)));
      return () => kept;
    };
  }
  return (all) => {
    const sorted = all.toSorted((one, other) => one.start - other.start);
    return ({ start }) => sorted.slice(placeBehind(sorted, start));
  };
}

/** Where what begins behind a place begins, among what is in order. */
function placeBehind(sorted: readonly TextRange[], start: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.start ?? 0) > start) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether a script starts a program of others, which has there what the script was given. */
export function startsOthers(script: string): boolean {
  const runs = commandsIn(plain(script, 0)).map(understand);
  return runs.some(othersIn(runs, script));
}

/** Whether a command runs a program of others: a function, of the script or of what it reads, is none. */
function othersIn(runs: readonly Run[], text: string): (run: Run) => boolean {
  const functions = new Set(runs.map(({ within }) => within));
  const isOpen = [...sourcedBy(text)].some((name) => !/env/.test(name));
  return (run) => !isOpen && !functions.has(run.words[0]?.value) && commandOf(run)?.isOwn === false;
}

/** What all that a pipeline runs is given, and so a program that a machine has, or one that was built elsewhere. */
export function givenToMachine(script: Text, names: Iterable<string>, stretch: Stretch, scope: Scope): PassedOn[] {
  const runs = commandsIn(script).map(understand);
  const run = runs.find(({ words }) => programOfMachine(words) !== undefined);
  const sets = [...names].map((name) => ({ name, value: unplaced(`\${${name}}`) }));
  const scripts = placedIn(scriptsOf(runs), stretch).map(({ script }) => script);
  return [...(run === undefined ? [] : givenIn(sets, run, stretch, scope)), ...givenToScripts(sets, scripts, stretch, scope)];
}
