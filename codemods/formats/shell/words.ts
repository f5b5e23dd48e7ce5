/** Shell words with the place of each character: quotes, escapes, continued lines, here-documents and substitutions, as far as requests need them. */
import { type Text, join, nothing, slice } from '../text.ts';

export interface Word {
  /** Without quotes; variables and substitutions stay as written. */
  readonly text: Text;
  /** The elements of `NAME=(…)`. */
  readonly items?: readonly Word[];
}

export interface Command {
  readonly words: readonly Word[];
  readonly start: number;
  readonly end: number;
}

/** What the text around a script escapes stays escaped. */
const marked = (marks: string, mark: ' ' | 'u'): string =>
  mark === ' '
    ? marks.replaceAll(/[ux]/g, (outer) => (outer === 'x' ? 'e' : ' '))
    : marks.replaceAll(/[^]/g, (outer) => (/[ex]/.test(outer) ? 'x' : 'u'));

const separators = '\n;&|()';

/** All commands of a script, those within `$(…)` and backticks included. */
export function commandsIn(script: Text): Command[] {
  return new Reader(script).commands();
}

class Reader {
  readonly #script: Text;
  readonly #value: string;
  readonly #found: Command[] = [];
  #at = 0;
  #hereDocuments: string[] = [];

  constructor(script: Text) {
    this.#script = script;
    this.#value = script.value;
  }

  commands(): Command[] {
    while (this.#at < this.#value.length) this.#list();
    return this.#found;
  }

  /** Reads commands up to an unmatched `)`, which is passed over, or the end. */
  #list(): void {
    let words: Word[] = [];
    let start = this.#at;
    const finish = (): void => {
      if (words.length > 0) this.#found.push({ words, start: this.#offset(start), end: this.#offset(this.#end) });
      words = [];
    };
    let depth = 0;
    while (this.#at < this.#value.length) {
      const char = this.#value.charAt(this.#at);
      if (separators.includes(char)) {
        finish();
        this.#at++;
        if (char === '\n') this.#skipHereDocuments();
        if (char === '(') depth++;
        if (char === ')' && depth-- === 0) return;
      } else if (this.#skipBlank()) continue;
      else if (this.#redirect()) continue;
      else {
        if (words.length === 0) start = this.#at;
        words.push(this.#word());
        this.#end = this.#at;
      }
    }
    finish();
  }

  #end = 0;

  #offset(index: number): number {
    return this.#script.at[index] ?? (this.#script.at.at(-1) ?? -1) + 1;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#value)?.[0];
  }

  #skipBlank(): boolean {
    const blank = this.#match(/(?:[ \t\r]|\\\r?\n)+|#[^\n]*/y);
    this.#at += blank?.length ?? 0;
    return blank !== undefined;
  }

  /** `> file`, `2>&1`, `<<EOF`: where output goes decides nothing about a request. */
  #redirect(): boolean {
    const here = this.#match(/<<-?[ \t]*(["']?)[\w.-]+\1/y);
    const operator = here ?? this.#match(/\d*(?:<<<|<(?![A-Za-z][\w .-]*>)|>>?)(?:&\d?-?)?[ \t]*/y);
    if (operator === undefined) return false;
    this.#at += operator.length;
    if (here !== undefined) this.#hereDocuments.push(here.replace(/^<<-?[ \t]*/, '').replaceAll(/["']/g, ''));
    else if (!/&\d?-?[ \t]*$/.test(operator) && !separators.includes(this.#value.charAt(this.#at))) this.#word();
    return true;
  }

  #skipHereDocuments(): void {
    for (const delimiter of this.#hereDocuments) {
      while (this.#at < this.#value.length) {
        const line = this.#match(/[^\n]*(?:\n|$)/y) ?? '';
        this.#at += line.length;
        if (line.trim() === delimiter) break;
      }
    }
    this.#hereDocuments = [];
  }

  #word(): Word {
    const parts: Text[] = [];
    while (this.#at < this.#value.length) {
      const rest = this.#value.charAt(this.#at);
      if (separators.includes(rest) || /[ \t\r]/.test(rest)) {
        if (rest !== '(' || !/^\w+\+?=$/.test(join(parts).value)) break;
        return { text: join(parts), items: this.#items() };
      }
      parts.push(this.#part(rest));
    }
    return { text: join(parts) };
  }

  #items(): Word[] {
    const items: Word[] = [];
    this.#at++;
    while (this.#at < this.#value.length && this.#value.charAt(this.#at) !== ')') {
      if (this.#skipBlank()) continue;
      if (separators.includes(this.#value.charAt(this.#at))) this.#at++;
      else items.push(this.#word());
    }
    this.#at++;
    return items;
  }

  #part(char: string): Text {
    if (char === "'") return this.#quoted(1, /[^']*/y);
    if (char === '"') return this.#doubleQuoted(1);
    // A text for translation.
    if (this.#value.startsWith('$"', this.#at)) return this.#doubleQuoted(2);
    if (this.#value.startsWith("$'", this.#at)) return this.#escapedQuoted();
    if (char === '\\') return this.#take(2, 1);
    if (this.#value.startsWith('$(', this.#at) || char === '`') return this.#substitution('u');
    const reference = this.#match(/\$\{\{[^}]*\}\}|\$\{[^}]*\}|\{\{[^}\n]*\}\}|<[A-Za-z][\w .-]*>/y);
    if (reference !== undefined) return this.#take(reference.length);
    // An operator sign that begins nothing is taken as it is, so that reading always goes on.
    return this.#take((this.#match(/[^\s'"\\$`;&|()<>{]+/y) ?? char).length);
  }

  /** Takes characters as they are, from the `skip`th on; an escaped line end is nothing. */
  #take(length: number, skip = 0, mark: ' ' | 'u' = 'u'): Text {
    const from = this.#at;
    this.#at = Math.min(from + length, this.#value.length);
    const taken = slice(this.#script, from + skip, this.#at);
    if (skip > 0 && /^[\r\n]/.test(taken.value)) {
      if (taken.value === '\r') this.#at++;
      return nothing;
    }
    return { ...taken, marks: marked(taken.marks, mark) };
  }

  #quoted(opening: number, inner: RegExp): Text {
    this.#at += opening;
    const text = this.#take(this.#match(inner)?.length ?? 0, 0, ' ');
    this.#at++;
    return text;
  }

  #escapedQuoted(): Text {
    const { value, at, marks } = this.#quoted(2, /(?:[^'\\]|\\[\s\S])*/y);
    const kept = Array.from(value.matchAll(/\\(?=[\s\S])([\s\S])|[\s\S]/g), ({ index, 0: found, 1: escape }) =>
      escape === undefined ? { index, char: found } : { index, char: { n: '\n', t: '\t' }[escape] ?? escape },
    );
    return {
      value: kept.map(({ char }) => char).join(''),
      at: kept.map(({ index }) => at[index] ?? 0),
      marks: marks.slice(0, kept.length),
    };
  }

  #doubleQuoted(opening: number): Text {
    const parts: Text[] = [];
    this.#at += opening;
    while (this.#at < this.#value.length && this.#value.charAt(this.#at) !== '"') {
      if (this.#value.startsWith('$(', this.#at) || this.#value.charAt(this.#at) === '`') parts.push(this.#substitution(' '));
      else if (this.#match(/\\["\\$`\r\n]/y) !== undefined) parts.push(this.#take(2, 1, ' '));
      else parts.push(this.#take((this.#match(/\$\{[^}"]*\}|[^"\\$`]+/y) ?? '.').length, 0, ' '));
    }
    this.#at++;
    return join(parts);
  }

  /** Keeps `$(…)` as it is written in the word, and reads the commands within. */
  #substitution(mark: ' ' | 'u'): Text {
    const from = this.#at;
    if (this.#value.charAt(from) === '`') {
      const end = this.#value.indexOf('`', from + 1);
      this.#at = end === -1 ? this.#value.length : end + 1;
      this.#found.push(...commandsIn(slice(this.#script, from + 1, this.#at - 1)));
    } else {
      this.#at += 2;
      const before = this.#end;
      this.#list();
      this.#end = before;
    }
    const taken = slice(this.#script, from, this.#at);
    return { ...taken, marks: marked(taken.marks, mark) };
  }
}
