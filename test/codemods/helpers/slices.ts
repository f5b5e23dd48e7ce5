/** Slices of components that are given as texts by file. */
import { posix } from 'node:path';
import { outlineOf } from '../../../codemods/component/relevance/outline.ts';
import { type Place, slice, type Slice, sliceFurther } from '../../../codemods/component/relevance/relevance-slice.ts';
import type { Sources } from '../../../codemods/component/relevance/sources.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { parsedFile } from '../../../codemods/evaluate/module.ts';
import { importsOf } from '../../../codemods/find/components.ts';
import { specifiersIn } from '../../../codemods/find/modules/imports.ts';

const engines = await loadEngines();

export const suspicious = (text: string): boolean => /\/v1\/|x-api-key/.test(text);

/** Each file that decides for others does so for all of `decided`. */
interface Deciding {
  readonly deciding: readonly string[];
  readonly decided: readonly string[];
}

export function sliceOf(
  files: Record<string, string>,
  candidates: readonly string[],
  isNear = suspicious,
  { deciding, decided }: Deciding = { deciding: [], decided: [] },
  places: readonly Place[] = [],
  looked = 0,
): Slice {
  const resolve = (from: string, specifier: string): string | undefined => {
    const path = posix.join(posix.dirname(from), specifier);
    return path in files ? path : undefined;
  };
  const imports = importsOf(new Map(Object.entries(files).map(([file, text]) => [file, specifiersIn(text)])), resolve);
  const about = Object.keys(files).map((file) => ({
    file,
    isCandidate: candidates.includes(file),
    importers: imports.by.get(file) ?? [],
    ambient: [
      ...(deciding.includes(file) ? [{ group: 'g', decides: true }] : []),
      ...(decided.includes(file) ? [{ group: 'g', decides: false }] : []),
    ],
  }));
  const text = (file: string): string => files[file] ?? '';
  const sources: Sources = {
    load: (file) => outlineOf(parsedFile(file, text(file), engines.parse(file, text(file)).tree)),
    text,
    resolve,
    named: (_, specifiers) => specifiers,
    insteadOf: () => [],
    isSuspicious: suspicious,
    isNear,
    holdsPart: (each) => /\/messages/.test(each),
    mayBeReported: () => false,
    mayBeReportedIn: () => false,
    isReportable: (each) => /standIn/i.test(each),
    isAdvisable: (each) => /perMinute/i.test(each),
    speaksHttp: (each) => /axios|fetch/.test(each),
    namesPutIn: () => new Set(),
  };
  const found = places.length === 0 ? slice(about, sources) : sliceFurther(about, sources, { places, looked });
  if (found === undefined) throw new Error('It leads through too much');
  return found;
}

export const sliced = (...program: Parameters<typeof sliceOf>): string[] => sliceOf(...program).modules.map(({ file }) => file);
