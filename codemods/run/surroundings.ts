/** The files beside the code: their texts, and what reads them. */
import { readFileSync } from 'node:fs';
import { resolve as pathOf } from 'node:path';
import { ApplyError } from '../edit/errors.ts';
import { failureOf } from '../edit/failure.ts';
import { decode } from '../edit/write.ts';
import type { TextPlan } from '../component/analyse-text.ts';
import type { ReadFile, TextFile } from '../formats/reader.ts';
import type { FileKind } from '../find/kinds.ts';
import { type Scan, withNames } from '../find/scan.ts';
import type { Bases } from '../verdict/routes.ts';
import type { Finding } from '../model.ts';
import { unreadable } from './merge.ts';

/** What is known of a run before any script is parsed. */
export interface Surroundings {
  readonly found: Scan;
  /** The bases with the variables that files prove to hold one. */
  readonly named: Bases;
  readonly texts: readonly TextFile[];
  /** Files beside the code that could not be read. */
  readonly faults: readonly Finding[];
  /** Looks at all of them; `env` is what the code proves, too. */
  analyseTexts(bases: Bases, told: ReadonlySet<string>): readonly TextPlan[];
}

/** What .env files and configuration say of variables counts for the code: files that read these variables are analysed, too. */
export async function surroundings(first: Scan, cwd: string, bases: Bases): Promise<Surroundings> {
  const before = textsIn(first, cwd);
  const settings = first.settings.flatMap((path) => settingAt(cwd, path));
  const { readFiles, provenEnvs, analyseTexts } = await loadedFor([...before.texts, ...settings]);
  const read = readFiles([...before.texts, ...settings]);
  const proven = provenEnvs(read, bases);
  const found = withNames(
    first,
    cwd,
    [...proven].filter((name) => !bases.env.has(name)),
  );
  if (found === first)
    return { ...before, found, named: withEnv(bases, proven), analyseTexts: (all, told) => analyseTexts(read, all, told) };
  const after = textsIn(found, cwd);
  const known = new Map(read.map((file) => [file.source.file, file]));
  const more = await loadedFor(after.texts);
  const all = [...after.texts, ...settings].flatMap((file) => known.get(file.file) ?? more.readFiles([file]));
  return { ...after, found, named: withEnv(bases, proven), analyseTexts: (some, told) => more.analyseTexts(all, some, told) };
}

const withEnv = (bases: Bases, more: ReadonlySet<string>): Bases => ({ ...bases, env: new Set([...bases.env, ...more]) });

interface Loaded {
  readFiles(files: readonly TextFile[]): readonly ReadFile[];
  provenEnvs(files: readonly ReadFile[], bases: Bases): ReadonlySet<string>;
  analyseTexts(files: readonly ReadFile[], bases: Bases, told: ReadonlySet<string>): readonly TextPlan[];
}

/** Loads the parsers of all these formats only where there is something for them. */
async function loadedFor(files: readonly TextFile[]): Promise<Loaded> {
  if (files.length === 0) return { readFiles: () => [], provenEnvs: () => new Set(), analyseTexts: () => [] };
  return import('./analyse-texts.ts');
}

interface Texts {
  readonly texts: readonly TextFile[];
  readonly faults: readonly Finding[];
}

function textsIn({ candidates }: Scan, cwd: string): Texts {
  const read = candidates
    .filter(({ kind, skipReason }) => skipReason === undefined && kind !== 'script')
    .map(({ path, kind }) => ({ file: path, kind: textKind(kind), text: textOf(cwd, path) }));
  return {
    texts: read.flatMap(({ text, ...about }) => (typeof text === 'string' ? { ...about, text } : [])),
    faults: read.flatMap(({ text }) => (typeof text === 'string' ? [] : text)),
  };
}

/** No scripts are left here. */
const textKind = (kind: FileKind): TextFile['kind'] => (kind === 'script' ? 'markup' : kind);

/** A file that only says what variables are set to; one that cannot be read says nothing. */
function settingAt(cwd: string, path: string): TextFile[] {
  const text = textOf(cwd, path);
  return typeof text === 'string' ? [{ file: path, kind: 'env', text }] : [];
}

/** @returns the finding where a file cannot be read */
export function textOf(cwd: string, path: string): string | Finding {
  try {
    return decode(readFileSync(pathOf(cwd, path)));
  } catch (error) {
    return error instanceof ApplyError ? failureOf(path, error) : unreadable({ path, reason: String(error) });
  }
}
