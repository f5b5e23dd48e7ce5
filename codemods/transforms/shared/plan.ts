/** The plan of a run of jscodeshift: what becomes of each file, and what is said of it. Data, without any text of the files. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { prepare } from '../../edit/prepare.ts';
import { splice, type Replacement } from '../../edit/splice.ts';
import { planRun } from '../../migrate.ts';
import { basesOf } from '../../verdict/bases/bases.ts';
import { walk } from '../../find/walk.ts';
import type { Finding } from '../../model.ts';
import { wordsOf } from '../../report/wording.ts';
import { select } from './select.ts';
import type { Settings } from './settings.ts';

export interface FilePlan {
  /** Digests of the file's text before and after. */
  readonly before: string;
  readonly after: string;
  readonly edits: readonly Replacement[];
}

export interface RunnerPlan {
  /** What the plan was made from, but for the files that it changes. */
  readonly made: string;
  /** By the path relative to the working directory. */
  readonly changes: Readonly<Record<string, FilePlan>>;
  readonly reports: Readonly<Record<string, readonly string[]>>;
  /** Calls that move, by file and client. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/**
 * Plans as `migrate-v2` does, and takes of it what jscodeshift can change.
 * @throws MigrateError where a base is none
 */
export async function planFor(settings: Settings): Promise<RunnerPlan> {
  const { cwd, v1Base, v2Base } = settings;
  const options = { cwd, paths: pathsOf(settings), v1Base, v2Base, proofs: false };
  const states = statesOf(settings);
  const { plan, failures, parse, versions } = await planRun(walk(options), options, basesOf(options));
  const { edits, left } = select(plan, settings);
  const { changed, failed } = await prepare({ cwd, edits, parse, versions, isWriting: false });
  const changes = Object.fromEntries(
    changed.map(({ file, before, after }): [string, FilePlan] => {
      const own = edits.filter((edit) => edit.file === file).map(({ start, end, text }) => ({ start, end, text }));
      return [file, { before: digest(before), after: digest(after), edits: own }];
    }),
  );
  const said = [
    ...[...plan.findings, ...failures, ...failed].map((finding) => ({ file: finding.file, message: messageOf(finding) })),
    ...left.flatMap(({ files, reason }) => files.map((file) => ({ file, message: `left as it is: ${reason}` }))),
  ];
  const moved = new Set(edits.flatMap(({ file, group }) => (changes[file] === undefined ? [] : [group])));
  const calls = plan.calls.filter(({ group }) => moved.has(group));
  return {
    made: madeFrom(states, changes),
    changes,
    reports: grouped(said, ({ message }) => message),
    calls: Object.fromEntries(Object.entries(grouped(calls, ({ client }) => client)).map(([file, clients]) => [file, counted(clients)])),
  };
}

/** Whether everything is as it was when the plan was made, but for what it changes itself; so a run that was stopped can go on. */
export function isCurrent({ made, changes }: RunnerPlan, settings: Settings): boolean {
  if (made !== madeFrom(statesOf(settings), changes)) return false;
  return Object.entries(changes).every(([file, { before, after }]) => {
    const path = resolve(settings.cwd, file);
    const now = existsSync(path) ? digest(readFileSync(path)) : '';
    return now === before || now === after;
  });
}

/** What a file becomes. @throws Error where its text is neither the old nor the new one */
export function textFor(plan: FilePlan, source: string): string | undefined {
  const now = digest(source);
  if (now === plan.after) return undefined;
  if (now !== plan.before) throw new Error('was changed while the run was on: run again');
  return splice(source, plan.edits);
}

const pathsOf = ({ cwd, paths = ['.'] }: Settings): readonly string[] => paths.filter((path) => existsSync(resolve(cwd, path)));

/** Size and time of each file that may matter. */
function statesOf(settings: Settings): ReadonlyMap<string, string> {
  const { files } = walk({ cwd: settings.cwd, paths: pathsOf(settings) });
  return new Map(
    files.map(({ path }) => {
      const stat = statSync(resolve(settings.cwd, path), { throwIfNoEntry: false });
      return [path, `${stat?.size} ${stat?.mtimeMs}`];
    }),
  );
}

/** jscodeshift's processes write a file under its name and a number, then rename it: what one of them is just writing is no other project. */
function madeFrom(states: ReadonlyMap<string, string>, changes: RunnerPlan['changes']): string {
  const lasting = [...states].filter(([path]) => path in changes || !(path.replace(/\.\d+$/, '') in changes));
  return digest(lasting.map(([path, state]) => (path in changes ? path : `${path} ${state}`)).join('\n'));
}

const digest = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('base64url');

function messageOf(finding: Finding): string {
  const { title, remedy } = wordsOf(finding);
  return `${finding.line}:${finding.column} ${finding.code}: ${title}. ${remedy}`;
}

function grouped<Item extends { readonly file: string }>(items: readonly Item[], of: (item: Item) => string): Record<string, string[]> {
  return Object.fromEntries([...Map.groupBy(items, ({ file }) => file)].map(([file, own]) => [file, own.map(of)]));
}

const counted = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, own]) => [name, own.length]));
