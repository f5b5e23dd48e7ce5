/** The script in a file: all of it, or the parts of a component, each at its own offset. */
import type { BesideFile } from '../beside/beside.ts';

const scripts = (file: BesideFile) => [{ ...file, path: file.file, start: 0, end: 0 }];
import type { FileKind } from '../find/kinds.ts';

/** @returns the path by which an engine knows the dialect, and a text of the same length with everything else blanked */
export function scriptIn({ file, kind, text }: { readonly file: string; readonly kind: FileKind; readonly text: string }): {
  readonly path: string;
  readonly script: string;
} {
  if (kind !== 'component') return { path: file.endsWith('.gs') ? `${file}.js` : file, script: text };
  const component: BesideFile = { file, kind, text };
  const parts = scripts(component);
  const blank = (from: number, to: number): string => text.slice(from, to).replaceAll(/[^\r\n]/g, ' ');
  let script = '';
  for (const part of parts) script += blank(script.length, part.start) + text.slice(part.start, part.end);
  return { path: parts[0]?.path ?? `${file}.ts`, script: script + blank(script.length, text.length) };
}
