/**
 * Variables of functions: behind `local url` and `local args=(…)`, what sets `url` and appends to `args` counts in that function alone. As all that it
 * calls sees them, too, one that is declared without a value stays a variable of the script where another function has it and does not declare it itself.
 */
import type { Text } from '../text.ts';
import { type Run, understand } from './runs.ts';
import { commandsIn } from './words.ts';

/** The commands of a script, in order. */
export function runsIn(script: Text): Run[] {
  const runs = commandsIn(script).map(understand);
  const users = usersIn(runs);
  const declared = new Map<string, Set<string>>();
  return runs.map((run) => {
    if (run.within === undefined) return run;
    const names = declared.get(run.within) ?? new Set();
    declared.set(run.within, names);
    for (const { name, isLocal } of run.sets) if (isLocal) names.add(name);
    for (const name of run.declares ?? []) if (!users.has(name)) names.add(name);
    return { ...run, sets: run.sets.map((each) => (names.has(each.name) && !each.exported ? { ...each, isLocal: true } : each)) };
  });
}

/** What some function has, and does not declare. */
function usersIn(runs: readonly Run[]): ReadonlySet<string> {
  const users = new Set<string>();
  for (const [name, own] of Map.groupBy(runs, ({ within }) => within)) {
    if (name === undefined) continue;
    const declared = new Set(own.flatMap(({ declares = [] }) => declares));
    for (const each of namesIn(own)) if (!declared.has(each)) users.add(each);
  }
  return users;
}

/** All words that may name a variable. */
const namesIn = (runs: readonly Run[]): string[] =>
  runs.flatMap(({ words, sets }) => [
    ...words.flatMap(({ value }) => value.match(/\w+/g) ?? []),
    ...sets.flatMap(({ name, value, items = [] }) => [name, ...[value, ...items].flatMap((text) => text.value.match(/\w+/g) ?? [])]),
  ]);
