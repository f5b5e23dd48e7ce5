/** `--todo`: the comments of a run, from its findings. */
import { basename, resolve } from 'node:path';
import { ApplyError } from '../edit/errors.ts';
import { readText } from '../edit/write.ts';
import { loadEngines } from '../engines/choose.ts';
import { SyntaxFault } from '../engines/engine.ts';
import { type FileKind, kindOf, kindOfText } from '../find/kinds.ts';
import type { Edit, Finding } from '../model.ts';
import { scriptIn } from '../component/texts/script-parts.ts';
import { link } from '../syntax/link.ts';
import { type Source, todoEdits } from './todo.ts';

const hashed: ReadonlySet<FileKind> = new Set(['env', 'yaml', 'toml', 'http', 'shell', 'commands']);

/** @returns edits that each stand alone; none for a file that cannot be read any more, which the run itself reports */
export async function todoOf(cwd: string, findings: readonly Finding[]): Promise<Edit[]> {
  if (findings.length === 0) return [];
  const engines = await loadEngines();
  const sources = new Map<string, Source | undefined>();
  const sourceOf = (file: string): Source | undefined => {
    if (sources.has(file)) return sources.get(file);
    const text = textOf(resolve(cwd, file));
    const kind = text === undefined ? undefined : kindOfText(kindOf(basename(file)) ?? 'bare', text);
    const made = text === undefined || kind === undefined ? undefined : sourceFrom(file, kind, text);
    sources.set(file, made);
    return made;
  };
  const sourceFrom = (file: string, kind: FileKind, text: string): Source | undefined => {
    if (hashed.has(kind)) return { text, tree: undefined, comment: '#' };
    if (kind !== 'script' && kind !== 'markup') return undefined;
    try {
      const { path, script } = scriptIn({ file, kind, text });
      const { tree } = engines.parse(path, script);
      link(tree.program);
      return { text, tree, comment: '//' };
    } catch (error) {
      if (error instanceof SyntaxFault) return undefined;
      throw error;
    }
  };
  return todoEdits(findings, sourceOf);
}

function textOf(path: string): string | undefined {
  try {
    return readText(path);
  } catch (error) {
    if (error instanceof ApplyError) return undefined;
    throw error;
  }
}
