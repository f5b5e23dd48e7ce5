/** What came to no end in one question may do so in another, that begins nearer to it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { clientRules } from '../../../codemods/clients/registry.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { createEvaluation } from '../../../codemods/evaluate/evaluate.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';
import { optionsOf, plainText } from '../../../codemods/evaluate/values/values.ts';
import { stepsOf } from '../helpers/growth/steps.ts';

const engines = await loadEngines();

/** Asks what the arguments of the calls in a program are, one after the other. */
const answersIn = (lines: readonly string[]): (string | undefined)[] => asked(lines).answers;

/**
 * @param times how often each is asked
 * @param name what is called, where that alone is meant
 */
function asked(lines: readonly string[], times = 1, name?: string): { readonly answers: (string | undefined)[]; readonly steps: number } {
  const text = lines.join('\n');
  const module = sourceModule('long.js', text, engines.parse('long.js', text).tree);
  const ev = createEvaluation({ modules: new Map([['long.js', module]]), resolve: () => undefined }, clientRules);
  const calls = module.calls.filter(({ callee }) => name === undefined || (callee.kind === 'name' && callee.name === name));
  const places = calls.flatMap(({ args: [arg] }) => Array.from({ length: arg === undefined ? 0 : times }, () => arg));
  const answers = places
    .flatMap((arg) => (arg === undefined ? [] : [ev.evaluate(arg, { module, frame: undefined })]))
    .map((value) => optionsOf(value).map(plainText).join(' or '));
  return { answers, steps: ev.budget.spent };
}

/** Constants that each are the one before. */
const chain = (length: number): string[] => [
  "const v0 = '/v1/messages';",
  ...Array.from({ length }, (_, index) => `const v${index + 1} = v${index};`),
];

test('what lies deep is followed to its end, piece by piece', () => {
  expect(answersIn([...chain(2000), 'ask(v2000);', 'ask(v100);'])).toEqual(['/v1/messages', '/v1/messages']);
});

test('what lies deeper than any code is cut, however little each piece takes: one place had all that there was for a component', () => {
  const { answers, steps } = asked([...chain(30_000), 'ask(v30000);']);
  expect(answers).toEqual(['']);
  expect(steps).toBeLessThan(26_000);
});

test('what was cut as a question of its own is not asked again with as many steps', () => {
  const many = Array.from({ length: 20_000 }, () => '0').join(', ');
  const [once, twice] = [1, 2].map((times) => asked([`ask([${many}]);`], times).steps);
  expect(twice).toBe(once);
});

test('what lies deep ends before the stack does, though nothing is compiled yet: what is interpreted takes several times as much of it', async () => {
  const flags = ['--no-opt', '--no-maglev', '--no-sparkplug', '--stack-size=800'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, join(import.meta.dirname, '../helpers/deep.ts')]);
  expect(stdout).toBe('5\n');
});

test('objects that are each spread over the one before under a condition come to an end: what hides a property does not double with each', () => {
  const spreads = Array.from({ length: 100 }, (_, index) => `const o${index + 1} = flag ? { ...o${index}, a: ${index} } : o${index};`);
  expect(answersIn(['const o0 = { a: 1 };', ...spreads, 'ask(o100.a);'])).toHaveLength(1);
});

test('a state that methods put copies of itself into, and that a listener is shown, comes to an end: what it holds is the same in whatever order it is shown', () => {
  const methods = Array.from({ length: 20 }, (_, index) => `m${index}({ v }) { this.s.state = { ...this.s.state, p${index}: v }; }`);
  const steps = stepsOf({
    'main.js': [
      'class Reader { constructor(first, show) { this.s = { state: { path: first } }; this.show = show; }',
      'async run() { for (const part of parts) { this[part.name](part); await this.show?.(this.s); } return this.s.state; }',
      ...methods,
      '}',
      'other[name] = value;',
      "const made = await new Reader('/v1/messages', listener).run();",
      "fetch('https://api.example.com' + made.path, { headers: { 'x-api-key': key } });",
    ].join('\n'),
  });
  expect(steps).toBeLessThan(20_000);
});

test('an object that takes many steps is not asked for by each class, though something is assigned into it: it is no instance', () => {
  const spreads = Array.from(
    { length: 20 },
    (_, index) => `const f${index} = (a, b) => ({ ...f${index + 1}(a, b), ...f${index + 1}(b, a) });`,
  );
  const classes = Array.from({ length: 30 }, (_, index) => [
    `class C${index} { base = '/v1/contacts'; list() { return fetch('https://api.example.com' + this.base); } }`,
    `new C${index}().list();`,
  ]);
  const steps = stepsOf({
    'tools.js': [...spreads, 'const f20 = (a, b) => ({ a, b });', 'export const tools = { ...f0(1, 2) };'].join('\n'),
    'main.js': ["import { tools } from 'tools.js';", 'Object.assign(tools, { a: 1 });', ...classes.flat()].join('\n'),
  });
  expect(steps).toBeLessThan(20_000);
});

test('a question that is spent is not asked of tens of thousands of calls that have the name of a function', () => {
  const steps = stepsOf({
    'main.js': [
      "import Fastify from 'fastify';",
      'const app = Fastify();',
      "async function plugin(instance, { base }) { fetch(base + '/v1/contacts'); }",
      'function setup(options) { app.register(plugin, options); }',
      "setup({ base: 'https://api.example.com' });",
      "import tool from 'tool';",
      ...Array.from({ length: 60_000 }, () => 'tool.setup();'),
    ].join('\n'),
  });
  expect(steps).toBeLessThan(45_000);
});

describe('an answer that was cut short', () => {
  test('because it took too many steps is not kept for a question that takes fewer', () => {
    const parts = Array.from({ length: 40 }, () => 'v1');
    const many = Array.from({ length: 19_970 }, () => '0').join(', ');
    const lines = [`const path = ${parts.map((part) => `'${part}'`).join(' + ')};`, `ask([${many}, path]);`, 'ask(path);'];
    expect(answersIn(lines)).toEqual(['', parts.join('')]);
  });
});

test('classes that inherit from each other in a circle, or in a line of thousands, say what they hold themselves', () => {
  const circle = [
    "class A extends B { a = '1'; }",
    'class B extends A {}',
    'class C extends C {}',
    'new A().a; ask(new A().a); ask(new C().c);',
  ];
  expect(answersIn(circle).slice(-2).toSorted()).toEqual(['', '1']);
  const line = Array.from({ length: 3_000 }, (_, index) => `class K${index + 1} extends K${index} {}`);
  expect(answersIn(["class K0 { a = '1'; }", ...line, 'ask(K20.prototype); ask(new K20().a);', 'ask(new K3000().a);']).at(-1)).toBe('');
});

/** A client whose answers are read by functions between it and many who ask. */
const answered = (asking: string): string[] => [
  'async function request(path, options = {}) {',
  '  const query = Object.entries(options.query ?? {}).map(([name, value]) => `${name}=${value}`);',
  "  const response = await fetch(`https://api.example.com${path}?${query.join('&')}`, { headers: { accept: 'application/json', ...options.headers } });",
  "  if (!response.ok) throw new Error('failed');",
  '  return read(response);',
  '}',
  'async function read(answer) {',
  '  if (!answer.body) return undefined;',
  `  return ${asking};`,
  '}',
  ...Array.from({ length: 50 }, (_, index) => `ask(await request('/v1/contacts/${index}', { query: { page: ${index} } }));`),
];

test('what an answer holds is not asked of what the request is made of', () => {
  const [answer, url] = ['answer.json()', 'answer.url'].map((asking) => asked(answered(asking), 1, 'ask'));
  expect(new Set(answer?.answers)).toEqual(new Set([' or ']));
  expect(answer?.steps).toBeLessThan((url?.steps ?? 0) / 2);
});

test('an argument that nothing comes of is not found out', () => {
  const many = Array.from({ length: 2_000 }, () => '`${a}${b}`').join(', ');
  expect(asked(['const first = (path, rest) => path;', `ask(first('/v1/messages', [${many}]));`], 1, 'ask')).toEqual({
    answers: ['/v1/messages'],
    steps: expect.toSatisfy((steps: number) => steps < 20),
  });
});
