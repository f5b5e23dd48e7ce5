/** `.env` files: `NAME=value` with an optional `export`, quotes, comments and interpolation. */
import { type Program, type Reading, type Stretch, merge } from './reading.ts';
import { type Text, plain } from './text.ts';
import { type Definition, type Scope, scopeOf } from './variables.ts';
import { settingOf } from './written.ts';

const line =
  /^[ \t]*(?:export[ \t]+)?(?<name>[A-Za-z_][\w.-]*)[ \t]*[=:](?<blank>[ \t]*)(?<value>"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`]*`|[^\r\n]*)/gm;

export function readEnv(stretch: Stretch): Reading {
  const definitions = variablesIn(stretch.text);
  return merge([settingsOf(definitions, stretch, scopeOf(definitions))]);
}

/** @param programs what each value is set for, where that is known */
export const settingsOf = (
  definitions: readonly Definition[],
  stretch: Stretch,
  scope: Scope,
  programs?: ReadonlyMap<Text, Program | undefined>,
): Pick<Reading, 'settings'> => ({
  settings: definitions.flatMap(({ name, value }) => settingOf(value, stretch, scope, { name, program: programs?.get(value) }) ?? []),
});

/** What the lines of a text set, each a variable. */
export const variablesIn = (text: string): Definition[] =>
  Array.from(text.matchAll(line), ({ index, 0: all, groups = {} }) => {
    const written = groups['value'] ?? '';
    return { name: groups['name'] ?? '', value: valueOf(written, index + all.length - written.length) };
  });

function valueOf(written: string, start: number): Text {
  if (/^["'`]/.test(written)) return plain(written.slice(1, -1), start + 1);
  // A `#` after a blank begins a comment.
  const comment = /(?:^|[ \t])#/.exec(written)?.index ?? written.length;
  return plain(written.slice(0, comment).trimEnd(), start);
}
