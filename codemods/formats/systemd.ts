/**
 * Units of systemd: what `Environment=` sets for the programs that `Exec…=` starts, as systemd.exec(5) and systemd.syntax(7) say, and what these ask
 * themselves. Several assignments may stand in a line, one with blanks in quotes around its name, too.
 */
import { v1Auth } from '../../src/contract/auth.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import { settingsOf } from './env-file.ts';
import { type Program, type Reading, type Stretch, merge } from './reading.ts';
import { givenIn, isRead } from './shell/programs.ts';
import { startsOthers } from './shell/given.ts';
import { understand } from './shell/runs.ts';
import { readScripts } from './shell/script.ts';
import { commandsIn } from './shell/words.ts';
import { type Text, type TextRange, plain } from './text.ts';
import { type Definition, scopeOf } from './variables.ts';

/** What is put over a unit elsewhere does not say what that starts. */
export const isUnit = (file: string): boolean => file.endsWith('.service');

/** What runs code as that of these files; whatever else it starts was made by somebody else, for all that is known. */
const ofRuntime = /^(?:env\s+(?:\w+=\S*\s+)*)?(?:\S*\/)?(?:node(?:js)?|bun|deno|tsx|ts-node|npm|npx|pnpm|yarn|pm2(?:-runtime)?)\s/;

const environment = /^[ \t]*Environment[ \t]*=/;
/** What has a specifier is put together when the unit starts: `%i`. */
const assignment = /(?<=[\s=])(?:(["'])([A-Za-z_]\w*)=((?:(?!\1)[^%\\])*)\1|([A-Za-z_]\w*)=([^\s"'%\\]*))(?=\s|$)/g;
/** A command may go on in the next line. */
const execution = /^[ \t]*Exec[A-Z]\w+[ \t]*=[ \t]*[-@:+!]*(?<command>(?:.*\\\r?\n)*.*\S)/gm;

/** @param others files of the run, among which may be the scripts that it starts */
export function readUnit(stretch: Stretch, others: readonly Pick<SourceText, 'file' | 'text'>[]): Reading {
  const definitions = Array.from(stretch.text.matchAll(/.+/g)).flatMap(({ index, 0: line }) =>
    environment.test(line) ? assignmentsIn(line, index) : [],
  );
  const commands = Array.from(stretch.text.matchAll(execution), ({ index, 0: all, groups: { command = '' } = {} }) =>
    plain(command, index + all.length - command.length),
  );
  const other = commands.find((command) => isSplit(command) || !isOwn(command, stretch.source.file, others));
  const program: Program = { name: other?.value ?? '', isOwn: commands.length > 0 && other === undefined, isAlone: true };
  const scope = scopeOf(definitions);
  return merge([
    settingsOf(definitions, stretch, scope, new Map(definitions.map(({ value }) => [value, program]))),
    { passedOn: other === undefined ? [] : givenIn(definitions, rangeOf(other), stretch, scope) },
    commands.some(isSplit) ? {} : readScripts(commands, stretch, scope),
  ]);
}

/** Whether all that a command starts is code of these files, or asks itself; a script of these may start others. */
function isOwn(command: Text, unit: string, others: readonly Pick<SourceText, 'file' | 'text'>[]): boolean {
  const runs = commandsIn(command).map(understand);
  const scripts = command.value.match(/[^\s"';|&]+\.(?:ba|z)?sh(?=$|[\s"';|&])/g) ?? [];
  const isHere = (script: string): boolean => {
    const found = others.filter(({ file }) => isInstalled(file, script, unit));
    return found.length > 0 && !found.some(({ text }) => startsOthers(text));
  };
  return ofRuntime.test(command.value) || (runs.every(isRead) && scripts.every(isHere));
}

/** Whether a machine may have a script there: among its commands, in the folder that it has here, or where one has it that stands beside its unit, or above that. */
function isInstalled(file: string, path: string, unit: string): boolean {
  const [own, theirs] = [file.split('/'), path.split('/')];
  if (own.at(-1) !== theirs.at(-1)) return false;
  return (
    own.length === 1 ||
    unit.startsWith(`${own.slice(0, -1).join('/')}/`) ||
    own.at(-2) === theirs.at(-2) ||
    theirs.length === 1 ||
    /^\/usr\/(?:local\/)?s?bin\//.test(path)
  );
}

/** Outside of quotes, a blank is written otherwise there than in a shell. */
const isSplit = ({ value }: Text): boolean => unquoted.test(value);
const unquoted = new RegExp(`(?<!["'])${v1Auth.field}\\s*:`, 'i');

const rangeOf = ({ at }: Text): TextRange => ({ start: at[0] ?? 0, end: (at.at(-1) ?? 0) + 1 });

const assignmentsIn = (line: string, at: number): Definition[] =>
  Array.from(line.matchAll(assignment), ({ index, 0: all, 1: quote = '', 2: quoted, 3: inQuotes, 4: bare = '', 5: value = '' }) => {
    const text = inQuotes ?? value;
    return { name: quoted ?? bare, value: plain(text, at + index + all.length - quote.length - text.length) };
  });
