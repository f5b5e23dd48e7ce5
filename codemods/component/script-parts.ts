/** The script in a file: all of it, or the parts of a component or document, each at its own offset. */
import { scripts } from '../formats/reader.ts';
import { pathOf, type ScriptIn, type Source } from './script-reader.ts';

/** See `ScriptIn`. */
export function scriptIn({ file, kind, text, parts }: Source): ReturnType<ScriptIn> {
  if (kind !== 'markup' && kind !== 'markdown') return { path: pathOf(file), script: text };
  const chosen = scripts({ file, kind, text }).filter((_, index) => parts?.includes(index) ?? true);
  const blank = (from: number, to: number): string => text.slice(from, to).replaceAll(/[^\r\n]/g, ' ');
  let script = '';
  for (const { start, end } of chosen) script += blank(script.length, start) + text.slice(start, end);
  return { path: chosen[0]?.path ?? `${file}.ts`, script: script + blank(script.length, text.length) };
}

/** What a line at the left edge declares or imports. */
const declaration =
  /^(?:export\s+)?(?:default\s+)?(?:import|const|let|var|class|(?:async\s+)?function\*?)\s+(?:type\s+)?([\w$]+(?:\s*,\s*\{[^}]*\})?|\{[^}]*\}|\*\s*as\s+[\w$]+)/gm;

const namesIn = (code: string): string[] => Array.from(code.matchAll(declaration), ([, names = '']) => names.match(/[\w$]+/g) ?? []).flat();

/** The programs of a document, as numbers of its code blocks: one goes on until a name of it is declared anew, or the language is another. */
export function programsIn(file: string, text: string): number[][] {
  const programs: { readonly blocks: number[]; readonly names: Set<string>; readonly language: string }[] = [];
  scripts({ file, kind: 'markdown', text }).forEach(({ path, text: code }, index) => {
    const language = path.slice(path.lastIndexOf('.'));
    const names = namesIn(code);
    const last = programs.at(-1);
    if (last === undefined || last.language !== language || names.some((name) => last.names.has(name)))
      programs.push({ blocks: [index], names: new Set(names), language });
    else {
      last.blocks.push(index);
      for (const name of names) last.names.add(name);
    }
  });
  return programs.map(({ blocks }) => blocks);
}
