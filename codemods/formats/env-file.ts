/** `.env` files: `NAME=value` with an optional `export`, quotes, comments and interpolation. */
import { type Reading, type Stretch, merge } from './reading.ts';
import { type Text, plain } from './text.ts';
import { scopeOf } from './variables.ts';
import { settingOf } from './written.ts';

const line =
  /^[ \t]*(?:export[ \t]+)?(?<name>[A-Za-z_][\w.-]*)[ \t]*[=:](?<blank>[ \t]*)(?<value>"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`]*`|[^\r\n]*)/gm;

export function readEnv(stretch: Stretch): Reading {
  const definitions = Array.from(stretch.text.matchAll(line), ({ index, 0: all, groups = {} }) => {
    const written = groups['value'] ?? '';
    return { name: groups['name'] ?? '', value: valueOf(written, index + all.length - written.length) };
  });
  const scope = scopeOf(definitions);
  return merge([{ settings: definitions.flatMap(({ name, value }) => settingOf(value, stretch, scope, { name }) ?? []) }]);
}

function valueOf(written: string, start: number): Text {
  if (/^["'`]/.test(written)) return plain(written.slice(1, -1), start + 1);
  // A `#` after a blank begins a comment.
  const comment = /(?:^|[ \t])#/.exec(written)?.index ?? written.length;
  return plain(written.slice(0, comment).trimEnd(), start);
}
