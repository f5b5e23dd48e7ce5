/** Lists of words: `NAME=(…)`, `NAME+=(…)`, a variable of Make that holds several; and who else than a client that is read gets the words of one. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { PassedOn, Stretch } from '../reading.ts';
import { substitutionsIn } from '../substitutions.ts';
import { type Text, type TextRange, coverOf, slice, splitAtBlanks } from '../text.ts';
import { type Scope, expansions } from '../variables.ts';
import { partsIn } from '../written.ts';
import { clientOf } from './curl.ts';
import { isOutsideQuotes, putInBy } from './headers.ts';
import type { Assigned, Run } from './runs.ts';

/** All words that a list may have, of each branch that sets it. */
export type Lists = ReadonlyMap<string, readonly Text[]>;

/** @param outer what a function sees of the script: what it sets hides that, and what it appends comes behind */
export function listsOf(assigned: readonly Assigned[], outer: Lists = new Map()): Lists {
  const lists = new Map(outer);
  const own = new Map<string, Text[]>();
  for (const { name, items, isAppended = false } of assigned) {
    if (items === undefined) continue;
    const words = own.get(name) ?? (isAppended ? [...(outer.get(name) ?? [])] : []);
    words.push(...items);
    own.set(name, words);
    lists.set(name, words);
  }
  return lists;
}

/** What is known where a word stands. */
interface Around {
  readonly stretch: Stretch;
  readonly scope: Scope;
  readonly lists: Lists;
}

/** Quotes stay in the words of a variable, and a header with a space in it would be two of them. */
const inseparable = new RegExp(`["'\`\\\\]|${v1Auth.field}`, 'i');

/** Lists may be made of others; a command has no more words than anybody could read. */
const maxDepth = 4;
const maxWords = 1_000;

/** The words of a list, and of a variable outside quotes. */
export function separate(word: Text, around: Around, within: readonly string[] = [], budget = { left: maxWords }): readonly Text[] {
  const { stretch, scope, lists } = around;
  const isSplit = putInBy(stretch) === 'shell' && isOutsideQuotes(word) && !/\+"/.test(word.value);
  const put = (words: readonly Text[]): readonly Text[] => (isSplit ? words.map(splitAtBlanks) : words);
  const name = nameIn(word.value);
  const list = name === undefined || within.includes(name) || within.length > maxDepth ? undefined : lists.get(name);
  if (name !== undefined && list !== undefined) {
    budget.left -= list.length;
    return budget.left < 0 ? [word] : put(list.flatMap((each) => separate(each, around, [...within, name], budget)));
  }
  if (name === undefined || within.length > 0 || word.marks.startsWith(' ')) return [word];
  const [definition, another] = scope.get(name);
  if (definition === undefined || another !== undefined || inseparable.test(definition.value.value)) return [word];
  const words = Array.from(definition.value.value.matchAll(/\S+/g), ({ index, 0: found }) =>
    slice(definition.value, index, index + found.length),
  );
  return words.length > 1 || clientOf(words[0]?.value ?? '') !== undefined ? put(words) : [word];
}

/** What a word stands for as a whole: `${NAME[@]}`, where it may be empty `${NAME[@]+"${NAME[@]}"}`, and of Make `$(NAME)`. */
export const nameIn = (word: string): string | undefined => whole.exec(word)?.slice(1).find(Boolean);
const whole = /^(?:\$\{(\w+)\[[@*]\](?::?-|:?\+"?\$\{\1\[[@*]\]\}"?)?\}|[@-]{0,2}\$(?:\{(\w+)\}|\((\w+)\)|([A-Za-z_]\w*)))$/;

/** All ways to name a list, but for its length: `${NAME[2]}`, `"${NAME[@]:1}"`, `$NAME`, `NAME[1]=…`, and by its name alone, as `local -n` and `read -a` are given it. */
const mention = /\$[{(]?!?(\w+)|(?<![\w.#-])(\w+)\[|^(\w+)$/g;

/** What is known of the lists of a script. */
export interface ListUses extends Around {
  /** All that any of them is set to, wherever that is. */
  readonly set: Lists;
}

/**
 * Lists whose words go where nobody sees what becomes of them: to another program than a client, a part at a time, under another name.
 * @param isRead whether the command takes its words as they are
 */
export function listsLost({ words, sets, ...place }: Run, isRead: boolean, uses: ListUses): PassedOn[] {
  if (uses.set.size === 0) return [];
  const isUnderstood = ({ value }: Text): boolean => uses.lists.has(nameIn(value) ?? '');
  const lost = [
    // A command by the name of a list is what Make puts in: `$(NAME)`.
    ...words.filter((word, i) => (!isRead || !isUnderstood(word)) && (i > 0 || !uses.set.has(word.value))),
    ...sets.flatMap(({ value, items = [] }) => [value, ...items.filter((item) => !isUnderstood(item))]),
  ];
  return lost.flatMap(({ value }) => namesIn(value).flatMap((name) => listHeld(name, place, uses)));
}

/** What stands in a substitution are words of its own commands. */
function namesIn(text: string): string[] {
  const name = nameIn(text);
  if (name !== undefined) return [name];
  const within = coverOf(substitutionsIn(text));
  return Array.from(text.matchAll(mention)).flatMap(({ index, 0: found, ...names }) =>
    within({ start: index, end: index + found.length }) ? [] : (names[1] ?? names[2] ?? names[3] ?? []),
  );
}

/** What a list has, as something that nobody follows. */
export function listHeld(name: string, { start, end }: TextRange, { set, scope, stretch }: Omit<ListUses, 'lists'>): PassedOn[] {
  const parts = (set.get(name) ?? []).flatMap((item) => expansions(item, scope)).flatMap((text) => partsIn(text, stretch));
  return parts.length === 0 ? [] : [{ start: stretch.start + start, end: stretch.start + end, name, parts }];
}

/** All that lists of a script are set to, in any function. */
export function allSet(runs: readonly Run[]): Lists {
  const all = new Map<string, Text[]>();
  for (const { name, items } of runs.flatMap(({ sets }) => sets)) {
    if (items === undefined) continue;
    const words = all.get(name) ?? [];
    words.push(...items);
    all.set(name, words);
  }
  return all;
}
