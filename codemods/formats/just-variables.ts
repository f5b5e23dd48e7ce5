/** Variables of a justfile: texts, other variables and what the environment has, put together by `+` and `/`. */
import { type Text, type TextRange, join, plain, splitAtBlanks, standingFor } from './text.ts';
import type { Definition } from './variables.ts';

export interface JustVariables {
  /** Under the names that `{{…}}` asks for them by. */
  readonly own: readonly Definition[];
  /** What recipes have in their environment. */
  readonly exported: readonly Definition[];
  /** Expressions of which nobody sees what they make of a variable. */
  readonly unread: readonly TextRange[];
}

const assignment = /^(?<export>export[ \t]+)?(?<name>[A-Za-z_][\w-]*)[ \t]*:=[ \t]*(?<value>.*)$/gm;
const other = /^(?:alias|set)[ \t]/;
const allExported = /^set[ \t]+export\b(?![ \t]*:=[ \t]*false)/m;

/** @param prefix what stands before the names of its variables */
export function variablesIn(text: string, prefix: string): JustVariables {
  const isExported = allExported.test(text);
  const own: Definition[] = [];
  const exported: Definition[] = [];
  const unread: TextRange[] = [];
  for (const { index, 0: line, groups = {} } of text.matchAll(assignment)) {
    if (other.test(line)) continue;
    const { name = '', value: written = '' } = groups;
    const start = index + line.length - written.length;
    const value = valueOf(written, start, prefix);
    const place = { start, end: index + line.length };
    const known = value ?? standingFor('<just>', place);
    if (value === undefined) unread.push(place);
    own.push({ name: prefix + name, value: known });
    if (isExported || groups['export'] !== undefined) exported.push({ name, value: known });
  }
  return { own, exported, unread };
}

const term =
  /\s*(?:'(?<raw>[^'\n]*)'|"(?<text>[^"\\\n]*)"|(?:env_var_or_default|env)\(\s*["'](?<variable>\w+)["']\s*,\s*(?:'(?<rawDefault>[^'\n{}]*)'|"(?<default>[^"\\\n{}]*)")\s*\)|(?:env_var|env)\(\s*["'](?<only>\w+)["']\s*\)|(?<name>[A-Za-z_][\w-]*)(?!\w|\s*\())\s*(?<sign>[+/]|$|#.*$)/y;

/**
 * @param around what is put in there as a whole, where it is no assignment: one variable alone
 * @returns undefined where it is something else
 */
function valueOf(written: string, start: number, prefix: string, around?: TextRange): Text | undefined {
  const parts: Text[] = [];
  for (term.lastIndex = 0; ;) {
    const from = term.lastIndex;
    const found = term.exec(written);
    if (found === null) return undefined;
    const { groups = {}, 0: all } = found;
    const sign = groups['sign'] ?? '';
    const isLast = sign !== '+' && sign !== '/';
    const place = { start: start + from, end: start + from + all.length - sign.length };
    const text = groups['raw'] ?? groups['text'];
    // The quote behind it is the last one.
    const literal = (value: string): Text =>
      plain(value, start + from + Math.max(all.lastIndexOf("'"), all.lastIndexOf('"')) - value.length);
    if (around !== undefined && (text !== undefined || !isLast)) return undefined;
    if (text !== undefined) parts.push(literal(text));
    else {
      const put = referenceIn(groups, prefix, around ?? place, literal);
      // Beside others nothing can be written before it: no quotes are around.
      parts.push(isLast && parts.length === 0 ? put : splitAtBlanks(put));
    }
    if (sign === '/') parts.push(plain(sign, place.end));
    if (isLast) return join(parts);
  }
}

function referenceIn(
  groups: Readonly<Record<string, string | undefined>>,
  prefix: string,
  place: TextRange,
  literal: (value: string) => Text,
): Text {
  const { variable, only, name = '' } = groups;
  if (only !== undefined) return standingFor(`{{${only}}}`, place);
  if (variable === undefined) return standingFor(`{{${prefix}${name}}}`, place);
  const otherwise = groups['rawDefault'] ?? groups['default'] ?? '';
  return join([standingFor(`\${${variable}:-`, place), literal(otherwise), standingFor('}', place)]);
}

const put = /\{\{(?!\{)(?<expression>[^{}]*)\}\}/g;

/** A script with what is put into it, and the expressions there that are more than a name. */
export function withVariables(
  text: string,
  { start, end }: TextRange,
  prefix: string,
): { readonly script: Text; readonly expressions: readonly TextRange[] } {
  const parts: Text[] = [];
  const expressions: TextRange[] = [];
  let from = start;
  for (const { index, 0: found, groups } of text.slice(start, end).matchAll(put)) {
    const place = { start: start + index, end: start + index + found.length };
    const value = valueOf((groups?.['expression'] ?? '').trimEnd(), place.start + 2, prefix, place);
    if (value === undefined) expressions.push(place);
    parts.push(plain(text.slice(from, place.start), from), value ?? standingFor('<just>', place));
    from = place.end;
  }
  return { script: join([...parts, plain(text.slice(from, end), from)]), expressions };
}
