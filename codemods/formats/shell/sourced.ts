/** A script that others source: what these call its functions with, and set its variables to. */
import { positionsOf } from '../../syntax/position.ts';
import { type Text, join, plain, slice, standingIn, unplaced } from '../text.ts';
import { type Definition, expansions, referencesIn, scopeOf } from '../variables.ts';
import { type Unfolded, unfolded, withLocals } from './functions.ts';
import { understand } from './runs.ts';
import { commandsIn } from './words.ts';

/** What others run and set; its texts stand in their files. */
export interface Sourcing {
  /** The words of commands. */
  readonly calls: readonly (readonly Text[])[];
  readonly sets: readonly Definition[];
}

export const notSourced: Sourcing = { calls: [], sets: [] };

export interface Script {
  readonly file: string;
  readonly text: string;
}

const sources = /^[ \t]*(?:\.|source)[ \t]+(?<path>\S.*?)["']?[ \t]*(?:$|[;&|#])/gm;
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Of all scripts that source a file of that name. */
export function sourcingOf(scripts: readonly Script[], { file, text }: Script): Sourcing {
  if (!/\(\s*\)|^\s*function\s/m.test(text)) return notSourced;
  const found = sourcing(scripts, file).map((script) => readFor(script, definitionsBeside(scripts, script, file)));
  return { calls: found.flatMap(({ calls }) => calls), sets: found.flatMap(({ sets }) => sets) };
}

/** The names of the files that a script sources. */
export const sourcedBy = (script: string): ReadonlySet<string> =>
  new Set(Array.from(script.matchAll(sources), ({ groups }) => nameOf(groups?.['path'] ?? '')));

const sourcing = (scripts: readonly Script[], file: string): Script[] =>
  scripts.filter((other) => other.file !== file && sourcedBy(other.text).has(nameOf(file)));

/** Which variables of a file those read that source it: they are theirs, as if they were exported. */
export function readBySourcing(scripts: readonly Script[], file: string): (name: string) => boolean {
  const readers = sourcing(scripts, file).map(({ text }) => text);
  return (name) => /^[A-Z][A-Z\d_]*$/.test(name) && readers.some((text) => new RegExp(String.raw`\$(?:${name}\b|\{${name}\b)`).test(text));
}

/** The texts of the other files that a script may have a function from: of two by one name, nobody knows which it is. */
function definitionsBeside(scripts: readonly Script[], script: Script, file: string): readonly string[] {
  const names = sourcedBy(script.text);
  return scripts.flatMap((other) => (other.file !== file && other !== script && names.has(nameOf(other.file)) ? other.text : []));
}

/** @param beside what else may define the functions that it calls */
function readFor({ file, text }: Script, beside: readonly string[]): Sourcing {
  const source = { file, text, position: positionsOf(text) };
  const runs = commandsIn(plain(text, 0)).map(understand);
  const set = runs.flatMap(({ sets }) => sets.filter(({ items, isLocal }) => items === undefined && !isLocal));
  const scope = scopeOf(set);
  const elsewhere = (word: Text): Text => {
    const [only, another] = expansions(word, scope);
    return withoutNames(only === undefined || another !== undefined ? word : only);
  };
  const wordsOf = ({ run, locals }: Unfolded): Text[] => {
    const [name = ''] = run.words.map(({ value }) => value);
    const isAlone =
      /^\w+$/.test(name) && !beside.some((other) => new RegExp(String.raw`(?:^|\s)${name}\s*\(|\bfunction\s+${name}\b`).test(other));
    // What stands elsewhere in the script may be used for something else, too.
    const isOfCall = (offset: number): boolean => isAlone && run.start <= offset && offset < run.end;
    return run.words.map((word) => standingIn(elsewhere(locals.reduceRight(withLocals, word)), source, isOfCall));
  };
  return {
    calls: unfolded(runs, () => false).map(wordsOf),
    sets: set.map((each) => ({ name: each.name, value: unplaced(elsewhere(each.value).value) })),
  };
}

/** A variable there is not the one of that name here. */
function withoutNames(text: Text): Text {
  const parts: Text[] = [];
  let at = 0;
  for (const { start, end, name } of referencesIn(text.value)) {
    parts.push(slice(text, at, start), unplaced(`<${name}>`));
    at = end;
  }
  return join([...parts, slice(text, at)]);
}
