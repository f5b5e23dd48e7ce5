/**
 * Pages and scripts that a build or a start fills with a variable, `url: "%VITE_URL%"`, `apiUrl: '${API_URL}'` for envsubst: who takes it there takes it by another
 * name. Under its own name, `API_URL: '${API_URL}'`, it is read by that.
 */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { escaped } from '../../find/words/literals.ts';
import type { FoundFile } from '../../find/walk.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import { withoutComments } from './foreign-readers.ts';

/** @param names variables that would change, where some request begins with nobody knows what */
export function filledTemplatesIn(
  files: readonly FoundFile[],
  names: ReadonlySet<string>,
  textIn: (file: string) => string,
): VariableUse[] {
  if (names.size === 0) return [];
  const patterns = [...names].map((name) => ({ name, pattern: filled(escaped(name)) }));
  return files.flatMap(({ path: file, kind }) => {
    if ((kind !== 'script' && kind !== 'markup') || isTest({ file })) return [];
    const text = textIn(file);
    const named = patterns.filter(({ name }) => text.includes(name));
    if (named.length === 0) return [];
    const code = withoutComments(text, file);
    return named.flatMap(({ name, pattern }) => {
      const start = code.search(pattern);
      return start === -1
        ? []
        : [{ file, start, end: start + name.length, ...positionsOf(text)(start), name, group: undefined, needsValue: true as const }];
    });
  });
}

/** All of a text, as what fills it takes no other for a variable: `'${NAME}'`, `"%NAME%"`, `'__NAME__'`, `'{{NAME}}'`. */
const filled = (name: string): RegExp =>
  new RegExp(
    String.raw`(?<!(?<![\w$])["']?${name}["']?\]?\s*[:=]\s*["']\W{0,3})(?<=["'](?:\$\{?|%|__|\{\{\s*))${name}(?=(?:\}|%|__|\s*\}\})?["'])`,
  );
