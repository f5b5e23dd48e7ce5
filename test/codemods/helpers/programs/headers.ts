/** The forms in which people write the key's header. */
import type { Writer } from './writer.ts';

export interface Named {
  /** The header's name, in some letter case. */
  readonly field: string;
  /** An expression for the key. */
  readonly key: string;
}

type HeaderForm = (writer: Writer, named: Named) => string;

/** A name in an object; templates have to stand in brackets. */
const keyOf = (w: Writer, field: string): string => (w.style.quote === '`' ? `[${w.text(field)}]` : w.text(field));

/** Each gives an expression for an object of headers. */
export const headerForms = {
  inline: (w, { field, key }) => `{ ${keyOf(w, field)}: ${key} }`,
  beside: (w, { field, key }) =>
    `{ accept: ${w.text('application/json')}, ${keyOf(w, field)}: ${key}, ${w.text('x-trace').replaceAll('`', "'")}: ${w.text('😀'.length.toString())} }`,
  'conditional spread': (w, { field, key }) => `{ ...(true && { ${keyOf(w, field)}: ${key} }) }`,
  constant: (w, { field, key }) => w.constant(`{ ${keyOf(w, field)}: ${key} }`),
  spread: (w, { field, key }) => `{ accept: ${w.text('*/*')}, ...${w.constant(`{ ${keyOf(w, field)}: ${key} }`)} }`,
  helper: (w, { field, key }) => {
    const helper = w.name();
    w.line(`const ${helper} = () => ({ ${keyOf(w, field)}: ${key} })`);
    return `${helper}()`;
  },
  'helper with a key': (w, { field, key }) => {
    const helper = w.name();
    w.line(`function ${helper}(value) { return { ${keyOf(w, field)}: value } }`);
    return `${helper}(${key})`;
  },
  'computed name': (w, { field, key }) => `{ [${w.constant(w.text(field))}]: ${key} }`,
  'imported name': (w, { field, key }) => `{ [${w.imported(w.text(field))}]: ${key} }`,
  brackets: (w, { field, key }) => {
    const headers = w.constant('{}');
    w.line(`${headers}[${w.text(field)}] = ${key}`);
    return headers;
  },
  'brackets in a function': (w, { field, key }) => {
    const [helper, headers] = [w.name(), w.name()];
    w.line(
      `function ${helper}() { const ${headers} = { accept: ${w.text('*/*')} }; ${headers}[${w.text(field)}] = ${key}; return ${headers} }`,
    );
    return `${helper}()`;
  },
  assign: (w, { field, key }) => `Object.assign({}, { ${keyOf(w, field)}: ${key} })`,
  'table of names': (w, { field, key }) => `{ [${w.constant(`{ key: ${w.text(field)} }`)}.key]: ${key} }`,
  'imported table of names': (w, { field, key }) => `{ [${w.imported(`Object.freeze({ key: ${w.text(field)} })`)}.key]: ${key} }`,
  'two spreads': (w, { field, key }) =>
    `{ ...${w.constant(`{ accept: ${w.text('*/*')} }`)}, ...${w.constant(`{ ${keyOf(w, field)}: ${key} }`)} }`,
  'helper that adds': (w, { field, key }) => {
    const helper = w.name();
    w.line(`const ${helper} = (extra = {}) => ({ ${keyOf(w, field)}: ${key}, ...extra })`);
    return `${helper}({ accept: ${w.text('*/*')} })`;
  },
  'helper that is awaited': (w, { field, key }) => {
    const helper = w.name();
    w.line(`async function ${helper}() { return { ${keyOf(w, field)}: ${key} } }`);
    return `(await ${helper}())`;
  },
  'getter of a class': (w, { field, key }) => {
    const kind = w.name();
    w.line(`class ${kind} { get headers() { return { ${keyOf(w, field)}: ${key} } } }`);
    return `new ${kind}().headers`;
  },
  'only if there': (w, { field, key }) => {
    const headers = w.constant('{}');
    w.line(`if (${key}) ${headers}[${w.text(field)}] = ${key}`);
    return headers;
  },
  'short circuit': (w, { field, key }) => `{ ...(${w.constant('true')} ? { ${keyOf(w, field)}: ${key} } : {}) }`,
  entries: (w, { field, key }) => `Object.fromEntries([[${w.text(field)}, ${key}]])`,
} as const satisfies Record<string, HeaderForm>;

/** Further ones that only clients with fetch's interface take. */
export const fetchHeaderForms = {
  tuples: (w, { field, key }) => `[[${w.text(field)}, ${key}]]`,
  Headers: (w, { field, key }) => `new Headers({ ${keyOf(w, field)}: ${key} })`,
  'Headers of tuples': (w, { field, key }) => `new Headers([[${w.text(field)}, ${key}]])`,
  set: (w, { field, key }) => {
    const headers = w.constant('new Headers()');
    w.line(`${headers}.set(${w.text(field)}, ${key})`);
    return headers;
  },
  append: (w, { field, key }) => {
    const headers = w.constant(`new Headers({ accept: ${w.text('*/*')} })`);
    w.line(`${headers}.append(${w.text(field)}, ${key})`);
    return headers;
  },
} as const satisfies Record<string, HeaderForm>;

export type HeaderFormName = keyof typeof headerForms | keyof typeof fetchHeaderForms;

/** Two uses of the expression are uses of one thing. */
export const sharedHeaders: ReadonlySet<HeaderFormName> = new Set<HeaderFormName>([
  'constant',
  'spread',
  'helper',
  'helper with a key',
  'brackets',
  'brackets in a function',
  'two spreads',
  'helper that adds',
  'helper that is awaited',
  'getter of a class',
  'only if there',
  'set',
  'append',
]);

/** Two uses of the expression are uses of one name, and no more: each can be written with another. */
export const namedHeaders: ReadonlySet<HeaderFormName> = new Set<HeaderFormName>([
  'computed name',
  'imported name',
  'table of names',
  'imported table of names',
]);

/** What people have for a key; each gives an expression. The environment holds it as API_KEY. */
export const keyForms = {
  variable: (w) => w.constant('process.env.API_KEY'),
  environment: () => 'process.env.API_KEY',
  brackets: (w) => `process.env[${w.text('API_KEY')}]`,
  literal: (w, key) => w.text(key),
  template: (w) => `\`\${${w.constant('process.env.API_KEY')}}\``,
  concatenation: (w, key) => `${w.text(key.slice(0, 3))} + ${w.constant(w.text(key.slice(3)))}`,
  call: (w) => {
    const name = w.name();
    w.line(`function ${name}() { return process.env.API_KEY }`);
    return `${name}()`;
  },
  conditional: (w) => `process.env.PROGRAM_LOCAL ? ${w.text('none')} : process.env.API_KEY`,
  'or nothing': (w) => `process.env.API_KEY ?? ${w.text('')}`,
  'function of names': (w) => {
    const name = w.name();
    w.line(`const ${name} = (name, otherwise = ${w.text('')}) => process.env[name] ?? otherwise`);
    return `${name}(${w.text('API_KEY')})`;
  },
  thrown: (w) => {
    const name = w.name();
    w.line(`function ${name}() { const key = process.env.API_KEY; if (!key) throw new Error(${w.text('no key')}); return key }`);
    return `${name}()`;
  },
  member: (w) => `${w.constant('{ auth: { key: process.env.API_KEY } }')}.auth.key`,
  destructured: (w) => {
    const name = w.name();
    w.line(`const { API_KEY: ${name} } = process.env`);
    return name;
  },
  'in brackets': () => '(process.env.API_KEY)',
  String: () => 'String(process.env.API_KEY)',
  trimmed: (w) => `${w.constant('{ key: process.env.API_KEY }')}.key.trim()`,
  imported: (w) => w.imported('process.env.API_KEY'),
  awaited: (w) => `${w.constant('process.env.API_KEY')}.toString()`,
} as const satisfies Record<string, (writer: Writer, key: string) => string>;

export type KeyFormName = keyof typeof keyForms;
