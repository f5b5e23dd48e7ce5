/** Crontabs and Procfiles: a command a line, behind when or as what it runs, and the variables that a crontab gives to all of them. */
import { scheduled } from '../find/kinds.ts';
import { settingsOf, variablesIn } from './env-file.ts';
import { type Reading, type Stretch, merge } from './reading.ts';
import { givenIn, givenToUnread, isRead } from './shell/programs.ts';
import { understand } from './shell/runs.ts';
import { readScripts } from './shell/script.ts';
import { commandsIn } from './shell/words.ts';
import { blank, plain } from './text.ts';
import { scopeOf } from './variables.ts';

const processType = /^[\w-]+:[ \t]*(?=\S)/;
/** Of crontabs of the system, which name who runs a line, too. */
const ofSystem = /(?:^|\/)(?:cron\.d\/[^/]+|etc\/crontab)$/;
const user = /^[\w-]+[ \t]+/;

export function readCommandLines(stretch: Stretch): Reading {
  const isOfSystem = ofSystem.test(stretch.source.file);
  const commandAt = (line: string): number => {
    const before = (scheduled.exec(line) ?? processType.exec(line))?.[0].length ?? 0;
    return before > 0 && isOfSystem ? before + (user.exec(line.slice(before))?.[0].length ?? 0) : before;
  };
  const definitions = variablesIn(stretch.text.replaceAll(/^.*$/gm, (line) => (commandAt(line) > 0 ? blank(line) : line)));
  const commands = Array.from(stretch.text.matchAll(/^.*$/gm)).flatMap(({ 0: line, index }) => {
    const start = commandAt(line);
    return start > 0 ? plain(line.slice(start).trimEnd(), index + start) : [];
  });
  const scope = scopeOf(definitions);
  const runs = commands.map((command) => commandsIn(command).map(understand));
  const unread = runs.flat().find((run) => !isRead(run));
  const passedOn = [
    ...(unread === undefined ? [] : givenIn(definitions, unread, stretch, scope)),
    ...runs.flatMap((line) => givenToUnread(line, stretch, scope)),
  ];
  return merge([settingsOf(definitions, stretch, scope), readScripts(commands, stretch, scope), { passedOn }]);
}
