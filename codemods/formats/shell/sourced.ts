/** A script that others source: what these call its functions with, and set its variables to. */
import { positionsOf } from '../../syntax/position.ts';
import { escaped } from '../../find/literals.ts';
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

/**
 * Of all scripts that source a file of that name, themselves or by way of another.
 * @param elsewhere files that are no scripts of the shell, some of which may source it: what they call is not known
 */
export function sourcingOf(scripts: readonly Script[], { file, text }: Script, elsewhere: readonly Script[] = []): Sourcing {
  if (!/\(\s*\)|^\s*function\s/m.test(text)) return notSourced;
  const callers = sourcing(scripts, file);
  const isOpen = elsewhere.some((other) => timesSourced(other, file) > 0) || scripts.some((other) => isSourcedWithin(other, file));
  const found = callers.map((script) => readFor(script, isOpen ? undefined : definitionsBeside(scripts, script, file)));
  return { calls: found.flatMap(({ calls }) => calls), sets: found.flatMap(({ sets }) => sets) };
}

/** The names of the files that a script sources. */
export const sourcedBy = (script: string): ReadonlySet<string> => new Set(namesSourced(script));

const namesSourced = (script: string): string[] => Array.from(script.matchAll(sources), ({ groups }) => nameOf(groups?.['path'] ?? ''));

function sourcing(scripts: readonly Script[], file: string): Script[] {
  const found = new Set<Script>();
  const visit = (name: string): void => {
    for (const other of scripts) {
      if (other.file === file || found.has(other) || !sourcedBy(other.text).has(name)) continue;
      found.add(other);
      visit(nameOf(other.file));
    }
  };
  visit(nameOf(file));
  return [...found];
}

/** `bash -c '. ./lib.sh; api /v1/contacts'`, `cd bin && source lib.sh`: behind something else on its line, so that what is called there is not known. */
const isSourcedWithin = (script: Script, file: string): boolean =>
  script.file !== file && timesSourced(script, file) > namesSourced(script.text).filter((name) => name === nameOf(file)).length;

function timesSourced({ text }: Script, file: string): number {
  if (!text.includes(nameOf(file))) return 0;
  return [...text.matchAll(new RegExp(String.raw`(?<![\w./-])(?:\.|source)\s+[^\s;&|]*${escaped(nameOf(file))}(?![\w.-])`, 'g'))].length;
}

/** Which variables of a file those read that source it: they are theirs, as if they were exported. */
export function readBySourcing(scripts: readonly Script[], file: string): (name: string) => boolean {
  const readers = sourcing(scripts, file).map(({ text }) => text);
  return (name) => /^[A-Z][A-Z\d_]*$/.test(name) && readers.some((text) => new RegExp(String.raw`\$(?:${name}\b|\{${name}\b)`).test(text));
}

/** The texts of the other files that a script may have a function from: of two by one name, nobody knows which it is. */
function definitionsBeside(scripts: readonly Script[], script: Script, file: string): readonly string[] {
  const isGiven = (other: Script): boolean => sourcing(scripts, other.file).includes(script);
  return scripts.flatMap((other) => (other.file !== file && other !== script && isGiven(other) ? other.text : []));
}

/** @param beside what else may define the functions that it calls; undefined where nothing of it may change */
function readFor({ file, text }: Script, beside: readonly string[] | undefined): Sourcing {
  const source = { file, text, position: positionsOf(text) };
  const runs = commandsIn(plain(text, 0)).map(understand);
  const set = runs.flatMap(({ sets }) => sets.filter(({ items, isLocal }) => items === undefined && !isLocal));
  const scope = scopeOf(set);
  const elsewhere = (word: Text): Text => {
    const [only, another] = expansions(word, scope);
    return withoutNames(only === undefined || another !== undefined ? word : only);
  };
  const isAlone = (name: string): boolean => {
    const definition = new RegExp(String.raw`(?:^|\s)${name}\s*\(|\bfunction\s+${name}\b`);
    return beside?.some((other) => definition.test(other)) === false;
  };
  const wordsOf = ({ run, locals }: Unfolded): Text[] => {
    const [name = ''] = run.words.map(({ value }) => value);
    const mayChange = /^\w+$/.test(name) && isAlone(name);
    // What stands elsewhere in the script may be used for something else, too.
    const isOfCall = (offset: number): boolean => mayChange && run.start <= offset && offset < run.end;
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
