/** The words of the commands that a program hands to a shell, each with where its characters stand. What a shell would have to find out first is not read. */
import type { SourceModule } from '../../evaluate/module.ts';
import { sliceParts } from '../../evaluate/values/text.ts';
import { type TextPart, unknown, type Value } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';

/** What starts programs: `spawnSync('node', …)`, `execa('node', …)`, `$`node …`` */
export const startsPrograms =
  /\bchild_process['"`]|(?<![\w$.])(?:spawn|execFile|execa|fork)(?:Sync)?\(|(?<![\w$])\$`|\b(?:Bun\.spawn|Deno\.Command)\b/;

/** A stretch of a word. */
export interface Piece {
  readonly value: Value;
  /** Whether a blank would end the word there. */
  readonly isBare: boolean;
}

export type Word = readonly Piece[];

const variable = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/;

/** @param pieces texts that a shell reads, and values that are part of one word, whatever they hold */
export function commandsOf(
  pieces: readonly (TextPart | Value)[],
  { node, module }: { readonly node: Node; readonly module: SourceModule },
): readonly (readonly Word[])[] | undefined {
  const reader = new Reader(node, module);
  return pieces.every((piece) => ('type' in piece ? reader.take(piece) : reader.read(piece))) ? reader.end() : undefined;
}

class Reader {
  readonly #node: Node;
  readonly #module: SourceModule;
  readonly #commands: Word[][] = [[]];
  #word: Piece[] | undefined;
  #quote = '';
  /** Whether the next word is a file that something is read from or written to. */
  #isFile = false;

  constructor(node: Node, module: SourceModule) {
    this.#node = node;
    this.#module = module;
  }

  end(): readonly (readonly Word[])[] | undefined {
    this.#endWord();
    return this.#quote === '' ? this.#commands.filter((words) => words.length > 0) : undefined;
  }

  take(value: Value): true {
    this.#word = [...(this.#word ?? []), { value, isBare: this.#quote === '' && value.type !== 'text' }];
    return true;
  }

  /** @returns whether it is understood */
  read(part: TextPart): boolean {
    const { text } = part;
    for (let at = 0; at < text.length;) {
      const plain =
        (this.#quote === "'" ? /^[^']+/ : this.#quote === '"' ? /^[^"\\`$]+/ : /^[^\s"'\\`$;|&<>()#]+/).exec(text.slice(at))?.[0].length ??
        0;
      if (plain > 0) this.#add(part, at, at + plain);
      at += plain;
      if (at === text.length) break;
      const length = this.#special(part, at);
      if (length === undefined) return false;
      at += length;
    }
    return true;
  }

  #add(part: TextPart, from: number, to: number): void {
    const value: Value = { type: 'text', parts: sliceParts([part], from, to) };
    this.#word = [...(this.#word ?? []), { value, isBare: this.#quote === '' }];
  }

  /** @returns how long it is, or undefined where it is not understood */
  #special(part: TextPart, at: number): number | undefined {
    const { text } = part;
    const char = text.charAt(at);
    if (char === '\\') return this.#escape(part, at);
    if (char === '$') return this.#variable(part, at);
    if (char === '`') return undefined;
    if (char === '"' || char === "'") {
      this.#word ??= [];
      this.#quote = this.#quote === '' ? char : '';
      return 1;
    }
    if (char === '#' && this.#word !== undefined) {
      this.#add(part, at, at + 1);
      return 1;
    }
    if (char === '#') return /^[^\n]*/.exec(text.slice(at))?.[0].length;
    if (char === '(' || char === ')' || text.startsWith('<<', at)) return undefined;
    if (char === '<' || char === '>') return this.#redirect(text, at);
    this.#endWord();
    if (!/[^\S\n]/.test(char)) this.#commands.push([]);
    return 1;
  }

  #escape(part: TextPart, at: number): number {
    const next = part.text.charAt(at + 1);
    if (next === '\n') return 2;
    const isKept = this.#quote === '"' && !/["\\$`]/.test(next);
    this.#add(part, isKept ? at : at + 1, Math.min(at + 2, part.text.length));
    return 2;
  }

  #variable(part: TextPart, at: number): number | undefined {
    const rest = part.text.slice(at);
    // What another command prints.
    const [found] = /^\$\([^()`]*\)/.exec(rest) ?? [];
    if (found !== undefined) {
      this.take(unknown(this.#node, this.#module));
      return found.length;
    }
    const [whole = '', braced, name = braced] = variable.exec(rest) ?? [];
    if (name !== undefined) {
      this.take({ type: 'env', name, node: this.#node, module: this.#module });
      return whole.length;
    }
    if (/^\$[\w({@*#?$!-]/.test(rest)) return undefined;
    this.#add(part, at, at + 1);
    return 1;
  }

  /** `> file`, `2>&1` */
  #redirect(text: string, at: number): number {
    const [whole = '', to] = /^[<>]+(&\d)?/.exec(text.slice(at)) ?? [];
    const [only] = this.#word ?? [];
    const isNumber =
      this.#word?.length === 1 && only?.value.type === 'text' && only.value.parts.every((each) => 'text' in each && /^\d$/.test(each.text));
    if (isNumber) this.#word = undefined;
    this.#endWord();
    this.#isFile = to === undefined;
    return whole.length;
  }

  #endWord(): void {
    if (this.#word !== undefined && !this.#isFile) this.#commands.at(-1)?.push(this.#word);
    if (this.#word !== undefined) this.#isFile = false;
    this.#word = undefined;
  }
}
