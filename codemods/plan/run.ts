/** The plan of a whole run: all islands, all files beside the code, one answer. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve as pathOf } from 'node:path';
import { type Versions, versionOf } from '../apply/version.ts';
import { decode } from '../apply/write.ts';
import { ApplyError } from '../apply/errors.ts';
import { failureOf } from '../apply/failure.ts';
import type { BesideFile, BesideResult } from '../beside/beside.ts';
import { loadEngines } from '../engines/choose.ts';
import type { FileKind } from '../find/kinds.ts';
import { resolverOf } from '../find/resolver.ts';
import { type Scan, scan, type Suspect } from '../find/scan.ts';
import { walk } from '../find/walk.ts';
import type { Bases } from '../identify/routes.ts';
import { analyseAll } from '../jobs/analyse-all.ts';
import type { Finding, Plan } from '../model.ts';
import type { MigrateOptions, MigrateResult } from '../result.ts';
import { candidatesOf } from './candidates.ts';
import { kindOfModule, scripts, tasksOf } from './tasks.ts';
import { scriptReader } from './script-reader.ts';
import { barrierOf, merged, setElsewhere, unreadable, withoutRefused } from './merge.ts';

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
  const found = scan(walked, [...bases.v1.map((base) => new URL(base).host), ...bases.env]);
  const readable = found.candidates.filter(({ barrier }) => barrier === undefined);
  const beside = readable.filter(({ kind }) => kind !== 'script').map((suspect) => ({ suspect, text: textOf(walked.cwd, suspect) }));
  const texts = beside.flatMap(({ suspect, text }) =>
    typeof text === 'string' ? [{ file: suspect.path, kind: besideKind(suspect.kind), text }] : [],
  );
  // What .env files and configuration say of variables counts for the code, and what the code proves counts for them.
  const readers = await readersFor([...texts, ...found.settings.flatMap((path) => settingAt(walked.cwd, path))]);
  const named: Bases = { ...bases, env: new Set([...bases.env, ...readers.provenEnvs(bases)]) };
  const documents = texts.filter(({ kind }) => kind === 'markdown');
  const resolve = resolverOf(walked.cwd, found.modules);
  const islands = await analyseAll(
    { cwd: walked.cwd, modules: found.modules, bases: named },
    await tasksOf(walked, found, readable, documents, resolve),
    {
      resolve,
      jobs: options.jobs ?? availableParallelism(),
      signal: options.signal,
      onProgress: (done, total) => onProgress?.({ phase: 'analyse', done, total }),
    },
  );
  const uses = islands.flatMap(({ environment }) => environment);
  const env = new Set([...named.env, ...uses.filter(({ isOurs }) => isOurs).map(({ name }) => name)]);
  // A variable that some call reads which stays on v1 keeps its value, and with it everything else that reads it.
  const frozen = new Set(uses.filter(({ isMoved }) => !isMoved).map(({ name }) => name));
  const second = withoutRefused(
    readers.besideAll({ ...bases, env, frozen }, bases.env),
    islands.flatMap(({ refused }) => refused),
  );
  const failures = [
    ...[...walked.faults, ...found.faults].map(unreadable),
    ...beside.flatMap(({ text }) => (typeof text === 'string' ? [] : [text])),
    ...islands.flatMap((island) => island.failures),
  ];
  const plan = merged(islands, second, [...found.candidates.flatMap(barrierOf), ...setElsewhere(uses, second, bases.v2 !== undefined)]);
  return {
    plan: { ...plan, candidates: candidatesOf(islands.flatMap(({ candidates }) => candidates)) },
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

interface Readers {
  provenEnvs(bases: Bases): Iterable<string>;
  besideAll(bases: Bases, told: ReadonlySet<string>): readonly BesideResult[];
}

/** Loads the parsers of all these formats only where there is something for them. */
async function readersFor(texts: readonly BesideFile[]): Promise<Readers> {
  if (texts.length === 0) return { provenEnvs: () => [], besideAll: () => [] };
  const [{ besideAll, provenEnvs }, { besides }] = await Promise.all([import('../beside/all.ts'), import('../beside/beside.ts')]);
  return {
    provenEnvs: (bases) => provenEnvs(texts.map((file) => besides(file, bases))),
    besideAll: (bases, told) => besideAll(texts, bases, told),
  };
}

/** Files of this kind are asked of `besides`. */
const besideKind = (kind: FileKind): BesideFile['kind'] => (kind === 'script' ? 'component' : kind);

/** A file that only says what variables are set to; one that cannot be read says nothing. */
function settingAt(cwd: string, path: string): BesideFile[] {
  const text = textOf(cwd, { path });
  return typeof text === 'string' ? [{ file: path, kind: 'env', text }] : [];
}

function textOf(cwd: string, { path }: Pick<Suspect, 'path'>): string | Finding {
  try {
    return decode(readFileSync(pathOf(cwd, path)));
  } catch (error) {
    return error instanceof ApplyError ? failureOf(path, error) : unreadable({ path, reason: String(error) });
  }
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
