/** The script in a file: all of it, or the parts of a component or document, each at its own offset. */
import { isCutPage } from '../../formats/markdown.ts';
import { hasUnreadCalls } from '../../formats/markup.ts';
import { hasParts, type ScriptPart, scripts } from '../../formats/reader.ts';
import type { TextKind } from '../../formats/registry.ts';
import { dataTree, isDataTree } from './data-tree.ts';
import { pathOf, type ScriptIn, type Source } from './script-reader.ts';

/** See `ScriptIn`. */
export function scriptIn({ file, kind, text, parts }: Source): ReturnType<ScriptIn> {
  if (isDataTree(kind, text)) return { path: pathOf({ file, kind }), script: text, value: () => dataTree(kind, text) };
  if (!hasParts(kind)) return { path: pathOf({ file, kind }), script: text };
  const { all, blank } = partsIn(file, kind, text);
  const isPage = kind === 'markdown' && parts === undefined;
  const own = parts ?? [...all.keys()].filter((index) => all[index]?.isOfPage === isPage);
  const chosen = own.flatMap((index) => all[index] ?? []);
  let script = '';
  for (const part of chosen) script += blank.slice(script.length, part.start) + part.text;
  const isCut = kind === 'markup' ? hasUnreadCalls(text, file) : isPage && isCutPage(text, file);
  return { path: chosen[0]?.path ?? `${file}.ts`, script: script + blank.slice(script.length), isCut, parts: own };
}

interface Parts {
  readonly text: string;
  readonly all: readonly ScriptPart[];
  /** The text without its letters. */
  readonly blank: string;
}

let last: (Parts & { readonly file: string }) | undefined;

/** What stands in a file, for the last that was asked about: each program of a document asks again, and there may be hundreds. */
function partsIn(file: string, kind: TextKind, text: string): Parts {
  if (last?.file !== file || last.text !== text)
    last = { file, text, all: scripts({ file, kind, text }), blank: text.replaceAll(/[^\r\n]/g, ' ') };
  return last;
}

/** What a line at the left edge declares or imports. */
const declaration =
  /^(?:export\s+)?(?:default\s+)?(?:import|const|let|var|class|(?:async\s+)?function\*?)\s+(?:type\s+)?([\w$]+(?:\s*,\s*\{[^}]*\})?|\{[^}]*\}|\*\s*as\s+[\w$]+)/gm;

const namesIn = (code: string): string[] => Array.from(code.matchAll(declaration), ([, names = '']) => names.match(/[\w$]+/g) ?? []).flat();

export interface DocumentProgram {
  /** The numbers of its code blocks in the document. */
  readonly blocks: readonly number[];
  readonly code: string;
}

/** The programs of a document: one goes on until a name of it is declared anew, or the language is another. */
export function programsIn(file: string, text: string): DocumentProgram[] {
  const programs: { readonly blocks: number[]; readonly names: Set<string>; readonly language: string; code: string }[] = [];
  partsIn(file, 'markdown', text).all.forEach(({ path, text: code, isOfPage }, index) => {
    if (isOfPage) return;
    const language = path.slice(path.lastIndexOf('.'));
    const names = namesIn(code);
    const before = programs.at(-1);
    if (before === undefined || before.language !== language || names.some((name) => before.names.has(name)))
      programs.push({ blocks: [index], names: new Set(names), language, code });
    else {
      before.blocks.push(index);
      before.code += `\n${code}`;
      for (const name of names) before.names.add(name);
    }
  });
  return programs;
}
