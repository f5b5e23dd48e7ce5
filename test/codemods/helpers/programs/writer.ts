/** Puts a generated program together: imports, declarations, names, quotes. */

export type Quote = "'" | '"' | '`';
export type Dialect = 'mjs' | 'cjs' | 'mts';

export interface Style {
  readonly quote: Quote;
  readonly dialect: Dialect;
  /** Names that nobody has to like; each is taken once. */
  readonly names: readonly string[];
  readonly semicolons: boolean;
  readonly indent: string;
}

/** Packages whose CommonJS is an object with a default. */
const modern = new Set(['got', 'ky', 'wretch']);

/** What one file has before its functions and exports. */
interface Part {
  readonly imports: string[];
  readonly lines: string[];
}

export class Writer {
  readonly style: Style;
  readonly #main: Part = { imports: [], lines: [] };
  readonly #second: Part = { imports: [], lines: [] };
  readonly #exported: string[] = [];
  #part = this.#main;
  #taken = 0;

  constructor(style: Style) {
    this.style = style;
  }

  /** A name that nothing else has. */
  name(): string {
    const { names } = this.style;
    const turn = Math.floor(this.#taken / names.length);
    const name = `${names[this.#taken++ % names.length]}${turn === 0 ? '' : turn}`;
    return name;
  }

  /** A text as a literal. */
  text(value: string): string {
    return `${this.style.quote}${value}${this.style.quote}`;
  }

  /** A statement, or its first line; `;` comes where the style has it. */
  line(code: string): void {
    this.#part.lines.push(this.end(code));
  }

  end(code: string): string {
    return this.style.semicolons ? `${code};` : code;
  }

  /** A constant with this value. */
  constant(value: string): string {
    const name = this.name();
    this.line(`const ${name} = ${value}`);
    return name;
  }

  /** A constant that stands in another file. */
  imported(value: string): string {
    return this.apart(() => this.constant(value));
  }

  /** Writes into the other file, and gives the name that it is to be known by here. */
  apart(write: () => string): string {
    if (this.#part === this.#second) return write();
    this.#part = this.#second;
    const name = write();
    this.#part = this.#main;
    this.#exported.push(name);
    return name;
  }

  /** The default export of a package. */
  package(module: string): string {
    const name = this.name();
    const from = this.#specifier(module);
    const required = modern.has(module) ? `const { default: ${name} } = require(${from})` : `const ${name} = require(${from})`;
    this.#part.imports.push(this.end(this.#isCommon ? required : `import ${name} from ${from}`));
    return name;
  }

  /** One export of a package. */
  member(module: string, member: string): string {
    const name = this.name();
    const from = this.#specifier(module);
    this.#part.imports.push(
      this.end(this.#isCommon ? `const { ${member}: ${name} } = require(${from})` : `import { ${member} as ${name} } from ${from}`),
    );
    return name;
  }

  /** The lines of the first file, around the body of its function, and of the second where there is one. */
  finish(body: readonly string[]): { readonly main: string[]; readonly constants: string[] } {
    const file = this.#specifier(`./constants.${this.style.dialect}`);
    const names = this.#exported.join(', ');
    const isUsed = names !== '';
    const own = this.#isCommon ? `const { ${names} } = require(${file})` : `import { ${names} } from ${file}`;
    const open = this.#isCommon ? 'module.exports = async function main() {' : 'export default async function main() {';
    const inner = body.map((line) => `${this.style.indent}${this.end(line)}`);
    const exported = this.#isCommon ? `module.exports = { ${names} }` : `export { ${names} }`;
    return {
      main: [...this.#main.imports, ...(isUsed ? [this.end(own)] : []), '', ...this.#main.lines, '', open, ...inner, '}'],
      constants: isUsed ? [...this.#second.imports, ...this.#second.lines, this.end(exported)] : [],
    };
  }

  get #isCommon(): boolean {
    return this.style.dialect === 'cjs';
  }

  /** Import declarations take no templates. */
  #specifier(module: string): string {
    return this.style.quote === '`' ? `'${module}'` : this.text(module);
  }
}
