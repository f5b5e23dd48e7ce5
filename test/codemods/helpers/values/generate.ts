/** Programs by chance: texts, objects, functions and classes, in branches and in loops. Whatever they do, they come to an end. */
import fc from 'fast-check';

/** Numbers that decide what is written, one after the other; when they are used up, the simplest is. */
class Tape {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  get isUsedUp(): boolean {
    return this.#at >= this.#numbers.length;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[(this.#numbers[this.#at++] ?? 0) % choices.length] ?? choices[0];
  }
}

type Kind = 'text' | 'object' | 'fn' | 'instance';
interface Name {
  readonly name: string;
  readonly kind: Kind;
  /** Declared by `let`. */
  readonly isOpen: boolean;
}

/** What is put into a program only where it is asked for: each has its rows in the tables, marked as wrong. */
export type Construct = keyof typeof constructs;

type Statement = (writer: Writer) => string | undefined;

class Writer {
  readonly #tape: Tape;
  readonly #statements: readonly [Statement, ...Statement[]];
  names: readonly Name[] = [];
  #count = 0;

  constructor(tape: Tape, extra: readonly Statement[]) {
    this.#tape = tape;
    this.#statements = [...usual, ...extra] as [Statement, ...Statement[]];
  }

  pick = <T>(...choices: [T, ...T[]]): T => this.#tape.pick(choices);

  fresh(kind: Kind, isOpen = false): string {
    const name = `${kind[0]}${this.#count++}`;
    this.names = [...this.names, { name, kind, isOpen }];
    return name;
  }

  some(kind: Kind, isOpen = false): string | undefined {
    const found = this.names.filter((each) => each.kind === kind && (each.isOpen || !isOpen)).map(({ name }) => name);
    const [first, ...more] = found;
    return first === undefined ? undefined : this.pick(first, ...more);
  }

  literal = (): string => this.pick("'a'", "'b'", "'/v1'", "'https://a.test'");
  condition = (): string => this.pick('flag', 'other');
  property = (): string => this.pick('a', 'b');

  text(depth = 0): string {
    const simple = (): string => this.pick(this.literal, () => this.some('text') ?? this.literal())();
    if (depth > 2) return simple();
    const deeper = (): string => this.text(depth + 1);
    const of = (kind: Kind, use: (name: string) => string) => (): string => {
      const name = this.some(kind);
      return name === undefined ? simple() : use(name);
    };
    return this.pick(
      simple,
      () => `${deeper()} + ${deeper()}`,
      () => `(${this.condition()} ? ${deeper()} : ${deeper()})`,
      () => `\`/\${${deeper()}}\``,
      () => `(process.env.X || ${deeper()})`,
      of('object', (name) => `${name}.${this.property()}`),
      of('object', (name) => `${name}[${this.condition()} ? 'a' : 'b']`),
      of('fn', (name) => `${name}(${deeper()})`),
      of('instance', (name) => `${name}.${this.property()}`),
      of('instance', (name) => `${name}.get(${deeper()})`),
      () => `[${deeper()}, ${deeper()}].join('/')`,
    )();
  }

  object(depth = 0): string {
    const made = (): string => `{ a: ${this.text(1)}, b: ${this.text(1)} }`;
    if (depth > 1) return made();
    return this.pick(
      made,
      () => `{ ...${this.some('object') ?? made()}, ${this.property()}: ${this.text(1)} }`,
      () => `{ ${this.property()}: ${this.text(1)}, ...${this.some('object') ?? made()} }`,
      () => `(${this.condition()} ? ${this.object(depth + 1)} : ${this.object(depth + 1)})`,
      () => `{ ...${this.some('object') ?? made()}, ...(${this.condition()} ? { ${this.property()}: ${this.text(1)} } : {}) }`,
      () => `Object.assign({}, ${this.some('object') ?? made()}, { ${this.property()}: ${this.text(1)} })`,
    )();
  }

  statement = (): string => this.#tape.pick(this.#statements)(this) ?? '';

  /** Statements that see the names that there are, with what they declare kept to themselves. */
  block(more: () => string = () => ''): string {
    const before = this.names;
    const text = `{ ${this.statement()} ${more()} }`;
    this.names = before;
    return text;
  }

  program(): string {
    const lines: string[] = [];
    while (!this.#tape.isUsedUp && lines.length < 12) lines.push(this.statement());
    const asked = this.names.map(({ name, kind }) => {
      if (kind === 'text' || kind === 'object') return `ask(${name});`;
      return kind === 'fn' ? `ask(${name}('x'));` : `ask(${name}.a); ask(${name}.b); ask(${name}.get('x'));`;
    });
    return [...lines, ...asked].filter((line) => line !== '').join('\n');
  }
}

const assignment: Statement = (writer) => {
  const name = writer.some('text', true);
  return name === undefined ? undefined : `${name} = ${writer.text()};`;
};

const branch: Statement = (writer) =>
  writer.pick(
    () => `if (${writer.condition()}) ${writer.block()}`,
    () => `if (${writer.condition()}) ${writer.block()} else ${writer.block()}`,
    () => `for (const each of [${writer.literal()}, ${writer.literal()}]) { ${assignment(writer) ?? ''} ask(each); }`,
    () => `try ${writer.block()} finally ${writer.block()}`,
  )();

/** Its parameter is a name like others within it. */
const fn: Statement = (writer) => {
  const before = writer.names;
  const parameter = writer.fresh('text', true);
  const form = writer.pick('declaration', 'arrow', 'block');
  const inner = form === 'arrow' ? '' : writer.statement();
  const returned = writer.text();
  writer.names = before;
  const name = writer.fresh('fn');
  if (form === 'arrow') return `const ${name} = (${parameter}) => ${returned};`;
  if (form === 'block') return `const ${name} = (${parameter} = ${writer.literal()}) => { ${inner} return ${returned}; };`;
  return `function ${name}(${parameter}) { ${inner} if (${writer.condition()}) return ${returned}; return ${parameter}; }`;
};

/** Its instance has the fields of objects, and methods that read and set them. */
const instance: Statement = (writer) => {
  const before = writer.names;
  const set = writer.text(1);
  const given = writer.fresh('text');
  const field = writer.text(1);
  writer.names = before;
  const argument = writer.text(1);
  const name = writer.fresh('instance');
  const body = `a = 'field'; constructor(${given}) { this.b = ${field}; } get(x) { return this.${writer.property()} + x; }`;
  const parent = writer.pick('', ` extends class { a = 'super'; b = 'super'; }`);
  const sup = parent === '' ? '' : 'super(); ';
  const own = body.replace('this.b', `${sup}this.b`);
  return `class C${name}${parent} { ${own} set(x) { this.${writer.property()} = ${set} + x; } }\nconst ${name} = new C${name}(${argument});`;
};

const usual: readonly [Statement, ...Statement[]] = [
  (writer) => {
    const value = writer.text();
    return `const ${writer.fresh('text')} = ${value};`;
  },
  (writer) => {
    const value = writer.text();
    return `let ${writer.fresh('text', true)} = ${value};`;
  },
  assignment,
  (writer) => {
    const value = writer.object();
    return `const ${writer.fresh('object')} = ${value};`;
  },
  (writer) => {
    const name = writer.some('object');
    return name === undefined ? undefined : `${name}.${writer.property()} = ${writer.text()};`;
  },
  branch,
  fn,
  instance,
  (writer) => {
    const name = writer.some('instance');
    return name === undefined ? undefined : `${name}.set(${writer.text(1)});`;
  },
  (writer) => {
    const name = writer.some('instance');
    return name === undefined ? undefined : `${name}.${writer.property()} = ${writer.text(1)};`;
  },
  (writer) => {
    const name = writer.some('object');
    return name === undefined ? undefined : `Object.assign(${name}, ${writer.object(1)});`;
  },
];

const constructs = {
  'another name': (writer: Writer) => {
    const name = writer.some('object');
    return name === undefined ? undefined : `const ${writer.fresh('object')} = ${name};`;
  },
  'text that is put after': (writer: Writer) => {
    const name = writer.some('text', true);
    return name === undefined ? undefined : `${name} += ${writer.text(1)};`;
  },
  'a function that writes': (writer: Writer) => {
    const [name, value] = [writer.some('object'), writer.text(1)];
    return name === undefined ? undefined : `((it) => { it.${writer.property()} = ${value}; })(${name});`;
  },
  /** Every road by which code gets hold of an object that has another name there. */
  'a write by a road': (writer: Writer) => {
    const kind = writer.pick<Kind>('object', 'object', 'instance');
    const [name, value] = [writer.some(kind), writer.text(1)];
    if (name === undefined) return undefined;
    const write = `it.${writer.property()} = ${value};`;
    return writer.pick(
      () => `(({ it }) => { ${write} })({ it: ${name} });`,
      () => `(([it]) => { ${write} })([${name}]);`,
      () => `((...all) => { const [it] = all; ${write} })(${name});`,
      () => `(function (it) { ${write} }).call(null, ${name});`,
      () => `(function (it) { ${write} }).apply(null, [${name}]);`,
      () => `((it) => { ${write} })(...[${name}]);`,
      () => `new Map([['k', ${name}]]).forEach((it) => { ${write} });`,
      () => `{ const it = new Map([['k', ${name}]]).get('k'); ${write} }`,
      () => `for (const it of new Set([${name}])) { ${write} }`,
      () => `Object.values({ it: ${name} }).forEach((it) => { ${write} });`,
      () => `for (const [, it] of Object.entries({ it: ${name} })) { ${write} }`,
      () => `({ it: ${name}, go() { const { it } = this; ${write} } }).go();`,
      () => `{ const it = new Proxy(${name}, {}); ${write} }`,
      () => `((it) => { ${write} })(${writer.condition()} ? ${name} : {});`,
      () => `{ const { it } = { ...{ it: ${name} } }; ${write} }`,
      () => `{ const [it] = [...[${name}]]; ${write} }`,
      () => `{ const [it] = [0].map(() => ${name}); ${write} }`,
      () => `((f) => f(${name}))((it) => { ${write} });`,
      () => `for (const it of (function* () { yield ${name}; })()) { ${write} }`,
      () => `try { throw ${name}; } catch (it) { ${write} }`,
      () => `(new (class { constructor(it) { this.it = it; } set() { const { it } = this; ${write} } })(${name})).set();`,
      () => `{ const it = (() => { const same = ${name}; return same; })(); ${write} }`,
      () => `[${name}].reduce((all, it) => { ${write} return all; }, 0);`,
      () => `{ let it; [it] = [${name}]; ${write} }`,
      () => `Reflect.apply((it) => { ${write} }, null, [${name}]);`,
    )();
  },
} satisfies Record<string, Statement>;

/** @param extra what may stand in them beside the usual */
export const generated = (extra: readonly Construct[]): fc.Arbitrary<string> =>
  fc.array(fc.nat({ max: 5039 }), { minLength: 20, maxLength: 60, size: 'max' }).map((numbers) =>
    new Writer(
      new Tape(numbers),
      extra.map((name) => constructs[name]),
    ).program(),
  );
