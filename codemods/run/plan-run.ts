/** The plan of a whole run: all islands, all files beside the code, one answer. */
import { availableParallelism } from 'node:os';
import { type Versions, versionOf } from '../edit/version.ts';
import { loadEngines } from '../engines/choose.ts';
import { resolverOf } from '../find/resolver.ts';
import { type Scan, scan } from '../find/scan.ts';
import { walk } from '../find/walk.ts';
import type { Bases } from '../verdict/routes.ts';
import { analyseAll } from './analyse-all.ts';
import type { Finding, Plan } from '../model.ts';
import { positionsOf } from '../syntax/position.ts';
import type { MigrateOptions, MigrateResult } from '../result.ts';
import { surroundings, textOf } from './surroundings.ts';
import { candidatesOf } from '../verdict/candidates.ts';
import { kindOfModule, scripts, tasksOf } from './tasks.ts';
import { scriptReader } from '../component/script-reader.ts';
import { barrierOf, membersOf, merged, setElsewhere, unreadable } from './merge.ts';
import { tiesOf } from './cross-file-constraints.ts';
import { usesIn } from './unread.ts';
import { type PositionIn, withdrawn } from './retract.ts';

export interface RunPlan {
  readonly plan: Plan;
  readonly failures: readonly Finding[];
  readonly files: MigrateResult['files'];
  /** Throws where the edited text of a file does not parse. */
  readonly parse: (file: string, text: string) => Promise<void>;
  /** Of all files that edits and findings stand in. */
  readonly versions: Versions;
  /** Absolute paths of files that a killed run left behind. */
  readonly leftOver: readonly string[];
}

/** @throws FindError where a given path cannot be looked at; the signal's reason once it is aborted */
export async function planRun(options: MigrateOptions, bases: Bases): Promise<RunPlan> {
  const { onProgress } = options;
  onProgress?.({ phase: 'scan', done: 0, total: 0 });
  const walked = walk({ cwd: options.cwd, paths: options.paths, include: options.include ?? [], exclude: options.exclude ?? [] });
  const first = scan(walked, [...bases.v1.map((base) => new URL(base).host), ...bases.env]);
  const { found, named, texts, faults, besideAll } = await surroundings(first, walked.cwd, bases);
  const documents = texts.filter(({ kind }) => kind === 'markdown');
  const resolve = resolverOf(walked.cwd, found.modules);
  const islands = await analyseAll(
    { cwd: walked.cwd, modules: found.modules, bases: named },
    await tasksOf(walked, found, documents, resolve),
    {
      resolve,
      jobs: options.jobs ?? availableParallelism(),
      signal: options.signal,
      onProgress: (done, total) => onProgress?.({ phase: 'analyse', done, total }),
    },
  );
  const proven = islands.flatMap(({ variables }) => variables.flatMap(({ name, isOurs }) => (isOurs ? name : [])));
  // What the code proves counts for the files beside it.
  const second = besideAll({ ...named, env: new Set([...named.env, ...proven]) }, bases.env);
  const members = membersOf(islands, second);
  const textIn = (path: string): string => {
    const text = textOf(walked.cwd, path);
    return typeof text === 'string' ? text : '';
  };
  const unread = new Set([...found.unread, ...islands.flatMap((island) => island.unread)]);
  const ties = tiesOf(members, usesIn(unread, members, textIn));
  const positionIn = positionsBy(textIn);
  const failures = [...[...walked.faults, ...found.faults].map(unreadable), ...faults, ...islands.flatMap((island) => island.failures)];
  const plan = merged(
    members.map((member) => withdrawn(member, ties, positionIn)),
    [...found.candidates.flatMap(barrierOf), ...setElsewhere(islands, second, ties)],
  );
  return {
    plan: {
      ...plan,
      candidates: candidatesOf(islands.flatMap(({ candidates }) => candidates)),
      keys: islands.flatMap(({ keys }) => keys),
    },
    failures,
    files: {
      walked: walked.files.length,
      candidates: found.candidates.length,
      parsed: islands.reduce((sum, { parsed }) => sum + parsed, 0),
    },
    parse: parserFor(found, new Map(islands.flatMap(({ checked }) => [...checked]))),
    leftOver: walked.leftOver,
    versions: new Map([
      ...texts.map(({ file, text }) => [file, versionOf(text)] as const),
      ...islands.flatMap(({ versions }) => [...versions]),
    ]),
  };
}

/** Positions in files that are read once more, if they are asked for at all: few are. */
function positionsBy(textIn: (path: string) => string): PositionIn {
  const known = new Map<string, ReturnType<typeof positionsOf>>();
  return (file, offset) => {
    const positions = known.get(file) ?? positionsOf(textIn(file));
    known.set(file, positions);
    return positions(offset);
  };
}

/** Loads what parses only for a text that no island has parsed already. */
function parserFor(found: Scan, checked: Versions): RunPlan['parse'] {
  const kinds = new Map(found.candidates.map(({ path, kind }) => [path, kind]));
  return async (file, text) => {
    const kind = kinds.get(file) ?? kindOfModule(file);
    if (!scripts.has(kind) || checked.get(file) === versionOf(text)) return;
    const [engines, scriptIn] = await Promise.all([loadEngines(), scriptReader([{ kind }])]);
    const { path, script } = scriptIn({ file, kind, text });
    engines.check(path, script);
  };
}
