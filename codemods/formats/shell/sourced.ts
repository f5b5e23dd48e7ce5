/** A script that others source: what these call its functions with, and set its variables to. */
import { type Text, plain, unplaced } from '../text.ts';
import { type Definition, expansions, referencesIn, scopeOf } from '../variables.ts';
import { unfolded, withLocals } from './functions.ts';
import { runsIn } from './locals.ts';

/** What others run and set; none of its texts stands in this file. */
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
  const found = scripts
    .filter((other) => other.file !== file && sourcedBy(other.text).has(nameOf(file)))
    .map(({ text: script }) => readFor(script));
  return { calls: found.flatMap(({ calls }) => calls), sets: found.flatMap(({ sets }) => sets) };
}

/** The names of the files that a script sources. */
export const sourcedBy = (script: string): ReadonlySet<string> =>
  new Set(Array.from(script.matchAll(sources), ({ groups }) => nameOf(groups?.['path'] ?? '')));

/**
 * Whether a script that is run in the same shell – one that sources this one, that it sources, or that a third one sources, too – has a list which it does
 * not set itself.
 */
export function listsBeside(scripts: readonly Script[], { file, text }: Script): (name: string) => boolean {
  let beside: readonly Script[] | undefined;
  const found = (): readonly Script[] => {
    const own = nameOf(file);
    const shells = [...scripts, { file, text }].map((script) => new Set([...sourcedBy(script.text), nameOf(script.file)]));
    const groups = shells.filter((names) => names.size > 1 && (names.has(own) || isOpen(names)));
    const isAny = groups.some(isOpen);
    return scripts.filter((script) => script.file !== file && (isAny || groups.some((names) => names.has(nameOf(script.file)))));
  };
  return (name) => {
    beside ??= found();
    const used = new RegExp(`\\$\\{!?${name}\\[|(?<![\\w$])${name}\\+=\\(`);
    const set = new RegExp(`(?<![\\w$])${name}=\\(`);
    return beside.some((script) => used.test(script.text) && !set.test(script.text));
  };
}

/** Whether it sources files by names that nobody knows. */
const isOpen = (names: ReadonlySet<string>): boolean => [...names].some((name) => /[$*]/.test(name));

function readFor(script: string): Sourcing {
  const runs = runsIn(plain(script, 0));
  const set = runs.flatMap(({ sets }) => sets.filter(({ items, isLocal }) => items === undefined && !isLocal));
  const scope = scopeOf(set);
  const elsewhere = (word: Text): Text => {
    const [only, another] = expansions(word, scope);
    return unplaced(withoutNames(only === undefined || another !== undefined ? word.value : only.value));
  };
  return {
    calls: unfolded(runs, () => false).map(({ run, locals }) => run.words.map((word) => elsewhere(locals.reduceRight(withLocals, word)))),
    sets: set.map((each) => ({ name: each.name, value: elsewhere(each.value) })),
  };
}

/** A variable there is not the one of that name here. */
function withoutNames(value: string): string {
  let text = '';
  let at = 0;
  for (const { start, end, name } of referencesIn(value)) {
    text += `${value.slice(at, start)}<${name}>`;
    at = end;
  }
  return text + value.slice(at);
}
