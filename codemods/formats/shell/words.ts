/** Shell words with the place of each character, of the commands that unbash finds. */
import {
  type Assignment,
  type Command as CommandNode,
  type For as ForNode,
  type SyntaxNode,
  type Word as WordNode,
  forEachChild,
  parse,
} from 'unbash';
import { type TextRange, type Text, align, join, slice, unplaced } from '../text.ts';

export interface Word {
  /** Without quotes; variables and substitutions stay as written. */
  readonly text: Text;
  /** The elements of `NAME=(…)`. */
  readonly items?: readonly Word[];
}

export interface Command {
  readonly words: readonly Word[];
  /** The function that it is in. */
  readonly within: string | undefined;
  /** Whether another makes something of what it prints: `echo "$API" | sed …`. */
  readonly isPiped: boolean;
  readonly start: number;
  readonly end: number;
}

/** What the text around a script escapes stays escaped. Of two shells outside whose quotes it stands, the first takes what the second needs. */
const marked = (marks: string, mark: ' ' | 'u'): string =>
  mark === ' ' ? marks : marks.replaceAll(/[^]/g, (outer) => (outer === ' ' ? 'u' : outer === 'e' ? 'x' : 's'));

/** What people and templates put into commands: `{{base}}`, `${{ env.BASE }}`, `<id>`. */
const placeholder = /\$?\{\{[^{}\n]{0,200}\}\}|(?<!<)<[A-Za-z][\w .-]{0,100}>/g;

/** All commands of a script, those within `$(…)` and backticks included, and these first. Broken syntax is read as far as it goes. */
export function commandsIn(script: Text): Command[] {
  const found: Command[] = [];
  const reader = new WordReader(script);
  const visit = (node: SyntaxNode, within: string | undefined, isPiped = false): void => {
    const inner = node.type === 'Function' ? node.name.value : within;
    forEachChild(node, (child) => visit(child, inner, isMadeInto(node, child)));
    const words = reader.wordsOf(node);
    const [first, last] = [words[0], words.at(-1)];
    if (first === undefined || last === undefined) return;
    found.push({ words, within, isPiped, start: reader.offset(first.start), end: reader.offset(last.end - 1) + 1 });
  };
  visit(parse(plainShell(script.value)), undefined);
  return found;
}

/** Whether a command of a pipeline gives what it prints to one that does more than show it. */
function isMadeInto(around: SyntaxNode, node: SyntaxNode): boolean {
  const next = around.type === 'Pipeline' ? around.commands[around.commands.findIndex((each) => each === node) + 1] : undefined;
  return next !== undefined && !(next.type === 'Command' && /^(?:tee|cat|logger|less)$/.test(next.name?.text ?? ''));
}

/** As long as the script, in what a shell knows: carriage returns before line ends are nothing, and placeholders are words. */
const plainShell = (script: string): string =>
  script
    .replaceAll('\\\r\n', ' \\\n')
    .replaceAll('\r\n', ' \n')
    // What Make passes on as `$(…)`.
    .replaceAll('$$(', '$( ')
    .replaceAll(placeholder, (found) => 'x'.repeat(found.length))
    .replaceAll(/[^\n]+/g, withoutHeaps);

/** The parser compares each here-document of a line with every other; nobody writes more than a few. */
const withoutHeaps = (line: string): string =>
  line.split('<<', maxHereDocuments).length < maxHereDocuments ? line : line.replaceAll('<<', '  ');
const maxHereDocuments = 32;

interface Placed extends Word {
  readonly start: number;
  readonly end: number;
}

type Part = NonNullable<WordNode['parts']>[number];

class WordReader {
  readonly #script: Text;
  /** What may set a variable, by its name. */
  #sets: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(script: Text) {
    this.#script = script;
  }

  offset(index: number): number {
    return this.#script.at[index] ?? (this.#script.at.at(-1) ?? -1) + 1;
  }

  /** The words of a command, what a loop sets its variable to, and the words that others go through or a case is about, as if these were commands. */
  wordsOf(node: SyntaxNode): Placed[] {
    if (node.type === 'Command') return this.#ofCommand(node);
    if (node.type === 'For' && this.#isAllOf(node)) return this.#ofLoop(node);
    const words = node.type === 'For' || node.type === 'Select' ? (node.wordlist ?? []) : node.type === 'Case' ? [node.word] : [];
    if (words.length === 0) return [];
    const keyword = { text: this.#take(node.pos, node.pos + node.type.length, 'u'), start: node.pos, end: node.pos + node.type.length };
    return [keyword, ...words.map((word) => this.#placed(word))];
  }

  #ofCommand({ prefix, name, args }: CommandNode): Placed[] {
    const sets = prefix.filter((each) => each.type === 'Assignment');
    return [...sets, ...(name === undefined ? [] : [name]), ...args].map((word) =>
      word.type === 'Assignment' ? this.#assigned(word) : this.#placed(word),
    );
  }

  /** Whether its words are all that its variable is in the script: another loop, and what reads a line, may set it to anything. */
  #isAllOf({ name, wordlist = [] }: ForNode): boolean {
    this.#sets ??= Map.groupBy(
      Array.from(this.#script.value.matchAll(setting), ([, words = '', set = '']) => words.split(/\W+/).concat(set)).flat(),
      (word) => word,
    );
    return wordlist.every(isPlain) && this.#sets.get(name.value)?.length === 1;
  }

  /** `for path in contacts messages` sets `path=contacts` and `path=messages`. */
  #ofLoop({ name, wordlist = [] }: ForNode): Placed[] {
    const sign = join([this.#take(name.pos, name.end, 'u'), unplaced('=')]);
    return wordlist.map((word) => ({ text: join([sign, this.#word(word)]), start: word.pos, end: word.end }));
  }

  #placed(word: WordNode): Placed {
    return { text: this.#word(word), start: word.pos, end: word.end };
  }

  #assigned({ pos, end, value }: Assignment): Placed {
    const sign = this.#take(pos, value.pos, 'u');
    if (value.type === 'ArrayValue') return { text: sign, items: value.elements.map((word) => this.#placed(word)), start: pos, end };
    return { text: join([sign, this.#word(value)]), start: pos, end };
  }

  #word({ pos, end, parts }: WordNode): Text {
    return parts === undefined ? this.#unescaped(pos, end, unquoted, 'u') : join(parts.map((part) => this.#part(part, 'u')));
  }

  #part(part: Part, mark: ' ' | 'u'): Text {
    const { pos, end } = part;
    const last = end - 1 > pos && /["']/.test(this.#script.value.charAt(end - 1)) ? end - 1 : end;
    switch (part.type) {
      case 'Literal':
        return this.#unescaped(pos, end, mark === ' ' ? quoted : unquoted, mark);
      case 'SingleQuoted':
        return this.#take(pos + 1, last, ' ');
      case 'DoubleQuoted':
      case 'LocaleString':
        return join(part.parts.map((child) => this.#part(child, ' ')));
      case 'AnsiCQuoted':
        return this.#decoded({ start: pos + 2, end: last }, part.value);
      default:
        return this.#take(pos, end, mark);
    }
  }

  /** Takes characters as they are. */
  #take(from: number, to: number, mark: ' ' | 'u'): Text {
    const taken = slice(this.#script, from, to);
    return { ...taken, marks: marked(taken.marks, mark) };
  }

  /** `$'…'`, in which a backslash may stand for any character. */
  #decoded(place: TextRange, value: string): Text {
    const text = align(this.#script.value, place, value, true);
    if (text === undefined) return this.#take(place.start, place.end, ' ');
    return { value, at: text.at.map((index) => this.offset(index)), marks: ' '.repeat(value.length) };
  }

  /** Takes characters without the backslashes before them; an escaped line end is nothing. */
  #unescaped(from: number, to: number, escape: RegExp, mark: ' ' | 'u'): Text {
    const parts: Text[] = [];
    let at = from;
    for (const { index, 0: found } of this.#script.value.slice(from, to).matchAll(escape)) {
      parts.push(this.#take(at, from + index, mark));
      at = from + index + (found.endsWith('\n') ? found.length : 1);
    }
    return join([...parts, this.#take(at, to, mark)]);
  }
}

/** Loops, what reads a line, and what sets a variable itself. */
const setting = /\b(?:for|select|read|mapfile|readarray|getopts)\b([^\n;|&]*)|\b(\w+)\+?=/g;

/** What a shell makes several words of, or finds out, stays open, and so do versions: who goes through these asks several. */
const isPlain = ({ text }: WordNode): boolean => /^[\w./:@%+,='"-]+$/.test(text) && !/^["']?v\d|\bv[02-9]\b/.test(text);

const unquoted = /\\(?:\r?\n|[^\r\n])/g;
const quoted = /\\(?:\r?\n|["\\$`])/g;
