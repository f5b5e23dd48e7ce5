/** The files beside the code: their texts, and what reads them. */
import { readFileSync } from 'node:fs';
import { resolve as pathOf } from 'node:path';
import { ApplyError } from '../edit/errors.ts';
import { failureOf } from '../edit/failure.ts';
import { decode } from '../edit/write.ts';
import type { BesideFile, BesideResult } from '../formats/reader.ts';
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
  readonly texts: readonly BesideFile[];
  /** Files beside the code that could not be read. */
  readonly faults: readonly Finding[];
  /** Looks at all of them; `env` is what the code proves, too. */
  besideAll(bases: Bases, told: ReadonlySet<string>): readonly BesideResult[];
}

/** What .env files and configuration say of variables counts for the code: whoever reads these is looked at, too. */
export async function surroundings(first: Scan, cwd: string, bases: Bases): Promise<Surroundings> {
  const before = besideIn(first, cwd);
  const settings = first.settings.flatMap((path) => settingAt(cwd, path));
  const { provenEnvs } = await readersOf([...before.texts, ...settings]);
  const proven = provenEnvs([...before.texts, ...settings], bases);
  const found = withNames(
    first,
    cwd,
    [...proven].filter((name) => !bases.env.has(name)),
  );
  const { texts, faults } = found === first ? before : besideIn(found, cwd);
  const { besideAll } = await readersOf(texts);
  return {
    found,
    named: { ...bases, env: new Set([...bases.env, ...proven]) },
    texts,
    faults,
    besideAll: (all, told) => besideAll([...texts, ...settings], all, told),
  };
}

interface Readers {
  provenEnvs(files: readonly BesideFile[], bases: Bases): ReadonlySet<string>;
  besideAll(files: readonly BesideFile[], bases: Bases, told: ReadonlySet<string>): readonly BesideResult[];
}

/** Loads the parsers of all these formats only where there is something for them. */
async function readersOf(files: readonly BesideFile[]): Promise<Readers> {
  if (files.length === 0) return { provenEnvs: () => new Set(), besideAll: () => [] };
  const [{ besideAll, provenEnvs }, { besides }] = await Promise.all([import('../formats/all.ts'), import('../formats/reader.ts')]);
  return { provenEnvs: (texts, bases) => provenEnvs(texts.map((file) => besides(file, bases))), besideAll };
}

interface Beside {
  readonly texts: readonly BesideFile[];
  readonly faults: readonly Finding[];
}

function besideIn({ candidates }: Scan, cwd: string): Beside {
  const read = candidates
    .filter(({ kind, barrier }) => barrier === undefined && kind !== 'script')
    .map(({ path, kind }) => ({ file: path, kind: besideKind(kind), text: textOf(cwd, path) }));
  return {
    texts: read.flatMap(({ text, ...about }) => (typeof text === 'string' ? { ...about, text } : [])),
    faults: read.flatMap(({ text }) => (typeof text === 'string' ? [] : text)),
  };
}

/** Files of this kind are asked of `besides`. */
const besideKind = (kind: FileKind): BesideFile['kind'] => (kind === 'script' ? 'component' : kind);

/** A file that only says what variables are set to; one that cannot be read says nothing. */
function settingAt(cwd: string, path: string): BesideFile[] {
  const text = textOf(cwd, path);
  return typeof text === 'string' ? [{ file: path, kind: 'env', text }] : [];
}

/** @returns what is to be told where a file cannot be read */
export function textOf(cwd: string, path: string): string | Finding {
  try {
    return decode(readFileSync(pathOf(cwd, path)));
  } catch (error) {
    return error instanceof ApplyError ? failureOf(path, error) : unreadable({ path, reason: String(error) });
  }
}
