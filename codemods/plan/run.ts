/** The plan of a whole run: all islands, all files beside the code, one answer. */
import { readFileSync } from 'node:fs';
import { resolve as pathOf } from 'node:path';
import { type Versions, versionOf } from '../apply/version.ts';
import { decode } from '../apply/write.ts';
import { ApplyError } from '../apply/errors.ts';
import { failureOf } from '../apply/failure.ts';
import { besideAll, provenEnvs } from '../beside/all.ts';
import { type BesideFile, besides } from '../beside/beside.ts';
import { loadEngines } from '../engines/choose.ts';
import { withAmbient } from '../find/ambient.ts';
import { importsOf, islandsOf } from '../find/islands.ts';
import type { FileKind } from '../find/kinds.ts';
import { resolverOf } from '../find/resolver.ts';
import { scan, type Suspect } from '../find/scan.ts';
import { type Walk, walk } from '../find/walk.ts';
import type { Bases } from '../identify/routes.ts';
import type { Finding, Plan } from '../model.ts';
import type { MigrateOptions, MigrateResult } from '../result.ts';
import { candidatesOf } from './candidates.ts';
import { analyseIsland, type IslandFile, type IslandResult } from './island.ts';
import { partsIn, scriptIn } from './parts.ts';
import { barrierOf, merged, setElsewhere, unreadable, withoutRefused } from './merge.ts';

export interface RunPlan {
  readonly plan: Plan;
  readonly failures: readonly Finding[];
  readonly files: MigrateResult['files'];
  /** Throws where the edited text of a file does not parse. */
  readonly parse: (file: string, text: string) => unknown;
  /** Of all files that edits and findings stand in. */
  readonly versions: Versions;
  /** Absolute paths of files that a killed run left behind. */
  readonly leftOver: readonly string[];
}

const scripts: ReadonlySet<FileKind> = new Set(['script', 'component']);

/** @throws FindError where a given path cannot be looked at */
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
  const first = texts.map((file) => besides(file, bases));
  const named: Bases = { ...bases, env: new Set([...bases.env, ...provenEnvs(first)]) };
  const { islands, parse } = await analyseAll(walked, found, readable, named, onProgress);
  const uses = islands.flatMap(({ environment }) => environment);
  const env = new Set([...named.env, ...uses.map(({ name }) => name)]);
  // A variable that some call reads which stays on v1 keeps its value, and with it everything else that reads it.
  const frozen = new Set(uses.filter(({ isMoved }) => !isMoved).map(({ name }) => name));
  const second = withoutRefused(
    besideAll(texts, { ...bases, env, frozen }),
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
    parse,
    leftOver: walked.leftOver,
    versions: new Map([
      ...texts.map(({ file, text }) => [file, versionOf(text)] as const),
      ...islands.flatMap(({ versions }) => [...versions]),
    ]),
  };
}

/** Files of this kind are asked of `besides`. */
const besideKind = (kind: FileKind): BesideFile['kind'] => (kind === 'script' ? 'component' : kind);

function textOf(cwd: string, { path }: Suspect): string | Finding {
  try {
    return decode(readFileSync(pathOf(cwd, path)));
  } catch (error) {
    return error instanceof ApplyError ? failureOf(path, error) : unreadable({ path, reason: String(error) });
  }
}

async function analyseAll(
  { cwd, files: paths }: Pick<Walk, 'cwd' | 'files'>,
  found: ReturnType<typeof scan>,
  readable: readonly Suspect[],
  bases: Bases,
  onProgress: MigrateOptions['onProgress'],
): Promise<{ readonly islands: IslandResult[]; readonly parse: RunPlan['parse'] }> {
  const suspects = new Map(readable.filter(({ kind }) => scripts.has(kind)).map((suspect) => [suspect.path, suspect]));
  const noParse = (): void => undefined;
  if (suspects.size === 0 && !readable.some(({ kind }) => kind === 'markdown')) return { islands: [], parse: noParse };
  const engines = await loadEngines();
  const resolve = resolverOf(cwd, found.modules);
  const manifests = paths.flatMap(({ path }) => (/(?:^|\/)package\.json$/.test(path) ? [path] : []));
  const read = (file: string): string => readFileSync(pathOf(cwd, file), 'latin1');
  const named = importsOf(found.specifiers, resolve);
  const { imports, reached } = withAmbient(named, { ...found, manifests, read });
  const islands = islandsOf([...new Set([...suspects.keys(), ...reached])], imports, found.parts);
  const results: IslandResult[] = [];
  for (const [index, files] of islands.entries()) {
    onProgress?.({ phase: 'analyse', done: index, total: islands.length });
    const isInside = new Set(files);
    const inside = (all: readonly string[] = []): string[] => all.filter((each) => isInside.has(each));
    const island = files.map((file) => ({
      file,
      kind: kindOfModule(file, suspects),
      isCandidate: suspects.has(file),
      importers: inside(named.by.get(file)),
      ambient: inside([...added(imports.of, named.of, file), ...added(imports.by, named.by, file)]),
    }));
    results.push(analyseIsland(cwd, island, resolve, bases, engines));
  }
  for (const island of documents(cwd, readable)) results.push(analyseIsland(cwd, island, resolve, bases, engines));
  const parse = (file: string, text: string): void => {
    const kind = kindOfModule(file, suspects);
    if (!scripts.has(kind)) return;
    const { path, script } = scriptIn({ file, kind, text });
    engines.check(path, script);
  };
  return { islands: results, parse };
}

type Edges = ReadonlyMap<string, readonly string[]>;
const added = (all: Edges, before: Edges, file: string): readonly string[] => (all.get(file) ?? []).slice(before.get(file)?.length ?? 0);

/** Each code block of a document stands alone. */
function documents(cwd: string, readable: readonly Suspect[]): IslandFile[][] {
  return readable.flatMap((suspect) => {
    const text = suspect.kind === 'markdown' ? textOf(cwd, suspect) : undefined;
    if (typeof text !== 'string') return [];
    return Array.from({ length: partsIn(suspect.path, text) }, (_, part): IslandFile[] => [
      { file: suspect.path, kind: 'markdown', isCandidate: true, part, importers: [], ambient: [] },
    ]);
  });
}

function kindOfModule(file: string, suspects: ReadonlyMap<string, Suspect>): FileKind {
  const known = suspects.get(file)?.kind;
  if (known !== undefined) return known;
  if (file.endsWith('.json')) return 'json';
  if (/\.(?:vue|svelte|astro)$/.test(file)) return 'component';
  return /\.(?:[cm]?[jt]sx?|gs)$/.test(file) ? 'script' : 'markdown';
}
