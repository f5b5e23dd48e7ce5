/** `.env` files: `NAME=value` with an optional `export`, quotes, comments and interpolation. */
import type { Bases } from '../verdict/routes.ts';
import type { Reading } from './reading.ts';
import { draftSetting, envOf } from './setting.ts';
import { type Text, plain } from './text.ts';
import { scopeOf } from './variables.ts';

const line =
  /^[ \t]*(?:export[ \t]+)?(?<name>[A-Za-z_][\w.-]*)[ \t]*[=:](?<blank>[ \t]*)(?<value>"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`]*`|[^\r\n]*)/gm;

export function readEnv(source: string, bases: Bases): Reading {
  const definitions = Array.from(source.matchAll(line), ({ index, 0: all, groups = {} }) => {
    const written = groups['value'] ?? '';
    return { name: groups['name'] ?? '', value: valueOf(written, index + all.length - written.length) };
  });
  const world = { source, bases, scope: scopeOf(definitions) };
  const settings = definitions.map(({ name, value }) => ({ name, draft: draftSetting(value, world, name) }));
  return { drafts: settings.flatMap(({ draft }) => draft ?? []), envs: settings.flatMap(({ name, draft }) => envOf(name, draft)) };
}

function valueOf(written: string, start: number): Text {
  if (/^["'`]/.test(written)) return plain(written.slice(1, -1), start + 1);
  // A `#` after a blank begins a comment.
  return plain(written.replace(/(?:^|[ \t]+)#.*$/, '').trimEnd(), start);
}
