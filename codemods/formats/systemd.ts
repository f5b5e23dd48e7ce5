/**
 * Units of systemd: what `Environment=` sets for the program that `ExecStart=` starts, as systemd.exec(5) and systemd.syntax(7) say. Several assignments may
 * stand in a line, one with blanks in quotes around its name, too.
 */
import { settingsOf } from './env-file.ts';
import { type Program, type Reading, type Stretch, merge } from './reading.ts';
import { plain } from './text.ts';
import { type Definition, scopeOf } from './variables.ts';

/** What is put over a unit elsewhere does not say what that starts. */
export const isUnit = (file: string): boolean => file.endsWith('.service');

/** What runs code as that of these files; whatever else it starts was made by somebody else, for all that is known. */
const ofRuntime = /^(?:env\s+(?:\w+=\S*\s+)*)?(?:\S*\/)?(?:node(?:js)?|bun|deno|tsx|ts-node|npm|npx|pnpm|yarn|pm2(?:-runtime)?)\s/;

const environment = /^[ \t]*Environment[ \t]*=/;
/** What has a specifier is put together when the unit starts: `%i`. */
const assignment = /(?<=[\s=])(?:(["'])([A-Za-z_]\w*)=((?:(?!\1)[^%\\])*)\1|([A-Za-z_]\w*)=([^\s"'%\\]*))(?=\s|$)/g;

export function readUnit(stretch: Stretch): Reading {
  const definitions = Array.from(stretch.text.matchAll(/.+/g)).flatMap(({ index, 0: line }) =>
    environment.test(line) ? assignmentsIn(line, index) : [],
  );
  const commands = Array.from(stretch.text.matchAll(/^[ \t]*Exec[A-Z]\w+[ \t]*=[ \t]*[-@:+!]*(.+)/gm), ([, command = '']) => command);
  const other = commands.find((command) => !ofRuntime.test(command));
  const program: Program = { name: other ?? '', isOwn: commands.length > 0 && other === undefined, isAlone: true };
  return merge([settingsOf(definitions, stretch, scopeOf(definitions), new Map(definitions.map(({ value }) => [value, program])))]);
}

const assignmentsIn = (line: string, at: number): Definition[] =>
  Array.from(line.matchAll(assignment), ({ index, 0: all, 1: quote = '', 2: quoted, 3: inQuotes, 4: bare = '', 5: value = '' }) => {
    const text = inQuotes ?? value;
    return { name: quoted ?? bare, value: plain(text, at + index + all.length - quote.length - text.length) };
  });
