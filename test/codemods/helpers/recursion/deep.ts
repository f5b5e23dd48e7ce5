/** Programs that are deep: chains of what is made of the one before, and what stands within its like. */
type Grown = (size: number) => string;

const call = "'https://api.example.com/v1/contacts'";
const lines = (size: number, line: (index: number) => string): string => Array.from({ length: size }, (_, index) => line(index)).join('\n');
const chain = (first: string, each: (before: string, name: string) => string, last: (name: string) => string): Grown => {
  return (size) => `${first}\n${lines(size, (index) => each(`x${index}`, `x${index + 1}`))}\n${last(`x${size}`)}\n`;
};
const nest = (front: string, inner: string, back: string, around: (text: string) => string): Grown => {
  return (size) => `${around(`${front.repeat(size)}${inner}${back.repeat(size)}`)}\n`;
};
const asked = (text: string): string => `fetch(${text});`;

export const chains: Readonly<Record<string, Grown>> = {
  reassignments: (size) =>
    `let a = { u: ${call} };\n${lines(size, (at) => `a = Object.assign({}, a, { k${at % 7}: a.u });`)}\nfetch(a.u);\n`,
  'objects that spread the one before': chain(
    `const x0 = { u: ${call} };`,
    (before, name) => `const ${name} = { ...${before}, p: ${before} };`,
    (name) => `fetch(${name}.p.p.u);`,
  ),
  instances: chain(
    `class C { constructor(p) { this.p = p; this.u = p.u; } }\nconst x0 = new C({ u: ${call} });`,
    (before, name) => `const ${name} = new C(${before});`,
    (name) => `fetch(${name}.u);`,
  ),
  getters: chain(
    `const x0 = { get u() { return ${call}; } };`,
    (before, name) => `const ${name} = { get u() { return ${before}.u; } };`,
    (name) => `fetch(${name}.u);`,
  ),
  classes: chain(
    `class x0 { u() { return ${call}; } }`,
    (before, name) => `class ${name} extends ${before} { m() { return this.u(); } }`,
    (name) => `fetch(new ${name}().u());`,
  ),
  'classes that a function makes': chain(
    `const make = (S) => class extends S { get z() { return super.z; } };\nclass x0 { get z() { return ${call}; } }`,
    (before, name) => `const ${name} = make(${before});`,
    (name) => `fetch(new ${name}().z);`,
  ),
  functions: chain(
    'function x0(u) { return u; }',
    (before, name) => `function ${name}(u) { return ${before}(u); }`,
    (name) => `fetch(${name}(${call}));`,
  ),
  'clients that have the defaults of the one before': chain(
    "import axios from 'axios';\nconst x0 = axios.create({ baseURL: 'https://api.example.com' });",
    (before, name) => `const ${name} = axios.create(${before}.defaults);`,
    (name) => `${name}.get('/v1/contacts');`,
  ),
  'bound functions': chain(
    'const x0 = fetch;',
    (before, name) => `const ${name} = ${before}.bind(null);`,
    (name) => `${name}(${call});`,
  ),
  lists: chain(
    `const x0 = [${call}];`,
    (before, name) => `const ${name} = [${before}];`,
    (name) => `fetch(${name}[0]);\nsend(${name});`,
  ),
  'objects in objects': chain(
    `const x0 = { u: ${call} };`,
    (before, name) => `const ${name} = { f: ${before} };`,
    (name) => `send(${name});\nfetch(${name}.f.f.u);`,
  ),
};

export const nested: Readonly<Record<string, Grown>> = {
  calls: nest('f(', call, ')', asked),
  'calls of what is known': nest('id(', call, ')', (text) => `const id = (x) => x;\nfetch(${text});`),
  objects: nest('{ a: ', call, ' }', (text) => `const o = ${text};\nfetch(o.a.a.a);\nsend(o);`),
  lists: nest('[', call, ']', (text) => `const o = ${text};\nfetch(o[0][0]);\nsend(o);`),
  conditions: nest('c ? ', call, " : 'b'", asked),
  'conditions behind each other': nest("c ? 'a' : ", call, '', asked),
  alternatives: nest('(c || ', call, ')', asked),
  templates: nest('`${', call, '}`', asked),
  functions: nest('() => ', call, '', (text) => `const f = ${text};\nfetch(f()()());`),
  'calls behind each other': nest('', "new Q({ u: '/v1/contacts' })", ".with('k')", (text) => {
    return `class Q { constructor(o) { this.o = o; } with(k) { return new Q({ ...this.o, k }); } }\nfetch((${text}).o.u);`;
  }),
};
