/** Texts that a pattern cannot match, told by the words that it needs: most patterns are asked of files that have none of theirs. */
import { memoOf } from '../../once.ts';

/** Whether a text may hold what a pattern matches. */
export type Screen = (pattern: RegExp) => boolean;

/** Which three characters follow each other in a text, by their hashes, a bit for each. */
type Seen = Uint32Array;
type Test = (seen: Seen) => boolean;

const hashes = 2 ** 15;
/** Of a shorter word there are no three characters in a row. */
const minWord = 3;
/** Tells `A` from `a`; letters count in any case, as some patterns have it. */
const caseBit = 0x20;
const hashOf = (one: number, two: number, three: number): number => ((one * 31 + two) * 31 + three) & (hashes - 1);

/** Of the programs of one document, each is asked with all of its text. */
let last: { readonly text: string; readonly screen: Screen } | undefined;
/** Fewer patterns cost less than to look at each character. */
const minPatterns = 8;

/** @param count how many patterns are asked */
export function screenOf(text: string, count = minPatterns): Screen {
  if (count < minPatterns) return () => true;
  if (last?.text !== text) last = { text, screen: madeOf(text) };
  return last.screen;
}

function madeOf(text: string): Screen {
  const seen = new Uint32Array(hashes / 32);
  let [one, two] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const next = text.charCodeAt(at) | caseBit;
    const hash = hashOf(one, two, next);
    seen[hash >>> 5] = (seen[hash >>> 5] ?? 0) | (1 << (hash & 31));
    one = two;
    two = next;
  }
  return (pattern) => testOf(pattern)(seen);
}

/** What every match of a pattern has to have around it. */
const testOf = memoOf(({ source, unicode, unicodeSets }: RegExp): Test =>
  unicode || unicodeSets ? always : new Reader(source).alternatives(),
);

const always: Test = () => true;

function holding(word: string): Test {
  const letters = Array.from(word, (letter) => letter.charCodeAt(0) | caseBit);
  const all = letters.slice(2).map((third, at) => hashOf(letters[at] ?? 0, letters[at + 1] ?? 0, third));
  return (seen) => all.every((hash) => ((seen[hash >>> 5] ?? 0) & (1 << (hash & 31))) !== 0);
}

/** A character, or something else with what it needs. */
type Item = { readonly character: string } | { readonly needs: Test };

/** Reads the source of a pattern. */
class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Up to the end, or to the `)` of a group. */
  alternatives(): Test {
    const found = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) found.push(this.#sequence());
    return found.includes(always) ? always : (seen) => found.some((needs) => needs(seen));
  }

  #sequence(): Test {
    const found: Test[] = [];
    let run = '';
    const add = (needs: Test): void => {
      if (run.length >= minWord) found.push(holding(run));
      if (needs !== always) found.push(needs);
      run = '';
    };
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? '')) {
      // Between two characters that follow each other.
      if (this.#take(/\\[bB]|[$^]/y) !== undefined) continue;
      const item = this.#item();
      const quantifier = this.#take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
      const isNeeded = quantifier === undefined || !/^(?:[*?]|\{0)/.test(quantifier);
      if ('character' in item && isNeeded) run += item.character;
      if ('needs' in item || quantifier !== undefined) add('needs' in item && isNeeded ? item.needs : always);
    }
    add(always);
    return found.length === 0 ? always : (seen) => found.every((needs) => needs(seen));
  }

  #item(): Item {
    const group = this.#take(/\((?:\?(?:[=!]|[a-z-]*:|<[=!]|<\w+>))?/y);
    if (group !== undefined) {
      const needs = this.alternatives();
      this.#at++;
      return { needs: group.endsWith('!') ? always : needs };
    }
    if (this.#take(/\\(?:k<\w+>|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|c\w|\d+|\w)|\.|\[(?:\\.|[^\]\\])*\]/y) !== undefined)
      return { needs: always };
    const character = this.#take(/\\?[^]/y)?.at(-1) ?? '';
    // Which characters are the same letter is known of ASCII alone.
    return character <= '~' ? { character } : { needs: always };
  }

  #take(what: RegExp): string | undefined {
    what.lastIndex = this.#at;
    const found = what.exec(this.#source)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}
