/** The forms in which people write where a request goes. */
import type { Writer } from './writer.ts';

export interface Target {
  /** Without a version and a slash at the end. */
  readonly base: string;
  /** After the version: `/messages/m-1`. */
  readonly path: string;
}

type UrlForm = (writer: Writer, target: Target) => string;

/** `/messages/m-1` as the inside of a template whose last part comes from elsewhere. */
function holed(writer: Writer, path: string): string {
  const cut = path.lastIndexOf('/') + 1;
  return path.includes('-') ? `${path.slice(0, cut)}\${${writer.constant(writer.text(path.slice(cut)))}}` : path;
}

/** Each gives an expression for the whole address. */
export const urlForms = {
  literal: (w, { base, path }) => w.text(`${base}/v1${path}`),
  template: (w, { base, path }) => `\`\${${w.constant(w.text(base))}}/v1${holed(w, path)}\``,
  'literal template': (w, { base, path }) => `\`${base}/v1${holed(w, path)}\``,
  'versioned base': (w, { base, path }) => `\`\${${w.constant(w.text(`${base}/v1`))}}${holed(w, path)}\``,
  concatenation: (w, { base, path }) => `${w.constant(w.text(base))} + ${w.text(`/v1${path}`)}`,
  'three parts': (w, { base, path }) => `${w.constant(w.text(base))} + ${w.constant(w.text('/v1'))} + ${w.text(path)}`,
  'new URL': (w, { base, path }) => `new URL(${w.text(`/v1${path}`)}, ${w.constant(w.text(base))}).href`,
  'new URL of all': (w, { base, path }) => `new URL(${w.text(`${base}/v1${path}`)}).toString()`,
  imported: (w, { base, path }) => `${w.imported(w.text(base))} + ${w.text(`/v1${path}`)}`,
  'imported path': (w, { base, path }) => `${w.constant(w.text(base))} + ${w.imported(w.text(`/v1${path}`))}`,
  'arrow function': (w, { base, path }) => {
    const [root, at] = [w.constant(w.text(base)), w.name()];
    w.line(`const ${at} = (path) => \`\${${root}}/v1\${path}\``);
    return `${at}(${w.text(path)})`;
  },
  function: (w, { base, path }) => {
    const at = w.name();
    w.line(`function ${at}(path, root = ${w.text(base)}) { return root + path }`);
    return `${at}(${w.text(`/v1${path}`)})`;
  },
  'class field': (w, { base, path }) => {
    const [kind, api] = [w.name(), w.name()];
    w.line(`class ${kind} { root = ${w.text(base)}; url(path) { return this.root + path } }`);
    w.line(`const ${api} = new ${kind}()`);
    return `${api}.url(${w.text(`/v1${path}`)})`;
  },
  'given to a class': (w, { base, path }) => {
    const [kind, api] = [w.name(), w.name()];
    w.line(`class ${kind} { constructor(root) { this.root = root } url(path) { return \`\${this.root}\${path}\` } }`);
    w.line(`const ${api} = new ${kind}(${w.text(base)})`);
    return `${api}.url(${w.text(`/v1${path}`)})`;
  },
  'table of endpoints': (w, { base, path }) => {
    const [root, table] = [w.constant(w.text(base)), w.constant(`{ first: ${w.text(`/v1${path}`)}, other: ${w.text('/health')} }`)];
    return `\`\${${root}}\${${table}.first}\``;
  },
  'table of functions': (w, { base, path }) => {
    const [root, table] = [w.constant(w.text(base)), w.constant(`{ first: () => ${w.text(`/v1${path}`)} }`)];
    return `${root} + ${table}.first()`;
  },
  'array join': (w, { base, path }) => `[${w.constant(w.text(base))}, ${w.text('v1')}, ${w.text(path.slice(1))}].join(${w.text('/')})`,
  'constant version': (w, { base, path }) => {
    const [root, version] = [w.constant(w.text(base)), w.constant(w.text('v1'))];
    return `\`\${${root}}/\${${version}}${path}\``;
  },
  'default of a variable': (w, { base, path }) => {
    const root = w.constant(`process.env.PROGRAM_BASE ?? ${w.text(base)}`);
    return `${root} + ${w.text(`/v1${path}`)}`;
  },
  'trimmed slash': (w, { base, path }) => `${w.constant(`${w.text(`${base}/`)}.replace(/\\/$/, ${w.text('')})`)} + ${w.text(`/v1${path}`)}`,
  'trimmed slash in a function': (w, { base, path }) => {
    const at = w.name();
    w.line(`const ${at} = (root, path) => root.replace(/\\/+$/, ${w.text('')}) + path`);
    return `${at}(${w.text(base)}, ${w.text(`/v1${path}`)})`;
  },
  concat: (w, { base, path }) => `${w.constant(w.text(base))}.concat(${w.text('/v1')}, ${w.text(path)})`,
  'filtered join': (w, { base, path }) => `[${w.text(`${base}/v1`)}, null, ${w.text(path.slice(1))}].filter(Boolean).join(${w.text('/')})`,
  'own pathname': (w, { base, path }) => {
    const url = w.constant(`new URL(${w.text(base)})`);
    w.line(`${url}.pathname = ${w.text(`/v1${path}`)}`);
    return `${url}.href`;
  },
  'static field': (w, { base, path }) => {
    const kind = w.name();
    w.line(`class ${kind} { static root = ${w.text(base)}; static first = \`\${${kind}.root}/v1${path}\` }`);
    return `${kind}.first`;
  },
  getter: (w, { base, path }) => `${w.constant(`{ get root() { return ${w.text(base)} } }`)}.root + ${w.text(`/v1${path}`)}`,
  destructured: (w, { base, path }) => {
    const [root, version] = [w.name(), w.name()];
    w.line(`const { root: ${root}, version: ${version} = ${w.text('v1')} } = { root: ${w.text(base)} }`);
    return `\`\${${root}}/\${${version}}${path}\``;
  },
  'frozen table': (w, { base, path }) => {
    const table = w.constant(`Object.freeze({ root: ${w.text(base)}, paths: { first: ${w.text(`/v1${path}`)} } })`);
    return `${table}.root + ${table}[${w.text('paths')}].first`;
  },
  'imported table': (w, { base, path }) =>
    `${w.imported(`{ root: ${w.text(base)}, first: ${w.text(`/v1${path}`)} }`)}`.replace(/^(.*)$/, '$1.root + $1.first'),
  'switch of versions': (w, { base, path }) => {
    const at = w.name();
    w.line(
      `function ${at}(name) { switch (name) { case ${w.text('first')}: return ${w.text(`/v1${path}`)}; default: throw new Error(name) } }`,
    );
    return `${w.text(base)} + ${at}(${w.text('first')})`;
  },
  'escaped id': (w, { base, path }) => {
    const cut = path.lastIndexOf('/') + 1;
    return path.endsWith('m-1')
      ? `\`${base}/v1${path.slice(0, cut)}\${encodeURIComponent(${w.text(path.slice(cut))})}\``
      : w.text(`${base}/v1${path}`);
  },
  'factory of addresses': (w, { base, path }) => {
    const [make, at] = [w.name(), w.name()];
    w.line(`function ${make}(root) { return (path) => \`\${root}\${path}\` }`);
    w.line(`const ${at} = ${make}(${w.text(`${base}/v1`)})`);
    return `${at}(${w.text(path)})`;
  },
  'logical or': (w, { base, path }) => `(${w.constant('undefined')} || ${w.text(base)}) + ${w.text(`/v1${path}`)}`,
  reassigned: (w, { base, path }) => {
    const url = w.name();
    w.line(`let ${url} = ${w.text(base)}`);
    w.line(`${url} += ${w.text(`/v1${path}`)}`);
    return url;
  },
  'host apart': (w, { base, path }) => {
    const [protocol, host] = base.split('//');
    return `\`${protocol}//\${${w.constant(w.text(host ?? ''))}}/v1${path}\``;
  },
  conditional: (w, { base, path }) => {
    const root = w.constant(`process.env.PROGRAM_LOCAL ? ${w.text(base)} : ${w.text(`${base}`)}`);
    return `\`\${${root}}/v1${path}\``;
  },
} as const satisfies Record<string, UrlForm>;

export type UrlFormName = keyof typeof urlForms;

interface BaseForm {
  base(writer: Writer, target: Target): string;
  path(writer: Writer, target: Target): string;
}

const withVersion = (w: Writer, { path }: Target): string => w.text(`/v1${path}`);
const bare = (w: Writer, { path }: Target): string => w.text(path);

/** For clients that are given a base: expressions for it, and for the path. */
export const baseForms = {
  literal: { base: (w, { base }) => w.text(base), path: withVersion },
  constant: { base: (w, { base }) => w.constant(w.text(base)), path: (w, { path }) => `\`/v1${holed(w, path)}\`` },
  versioned: { base: (w, { base }) => w.text(`${base}/v1`), path: bare },
  imported: { base: (w, { base }) => w.imported(w.text(`${base}/v1`)), path: bare },
  template: { base: (w, { base }) => `\`\${${w.constant(w.text(base))}}/v1\``, path: bare },
  'slash behind': { base: (w, { base }) => w.text(`${base}/v1/`), path: (w, { path }) => w.text(path.slice(1)) },
  'default of a variable': { base: (w, { base }) => `(process.env.PROGRAM_BASE || ${w.text(base)})`, path: withVersion },
} as const satisfies Record<string, BaseForm>;

export type BaseFormName = keyof typeof baseForms;
