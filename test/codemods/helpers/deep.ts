/** A process of a test: evaluates what lies deep, in one way after another, and says how many ways there were. */
import { clientRules } from '../../../codemods/clients/registry.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { createEvaluation } from '../../../codemods/evaluate/evaluate.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';

const engines = await loadEngines();

const length = 250;
const rows = (row: (index: number) => string): string[] => Array.from({ length }, (_, index) => row(index));

/** Each leads from its last name to `'/v1'`, by as many steps. */
const programs = [
  ["const v0 = '/v1';", ...rows((i) => `const v${i + 1} = v${i};`), `ask(v${length});`],
  ["const v0 = '/v1';", ...rows((i) => `const v${i + 1} = x ? '' : v${i};`), `ask(v${length});`],
  ["const o0 = { a: '/v1' };", ...rows((i) => `const { a: b${i} } = o${i}; const o${i + 1} = { a: b${i} };`), `ask(o${length}.a);`],
  ['const f0 = (x) => x;', ...rows((i) => `const f${i + 1} = (x) => f${i}(x);`), `ask(f${length}('/v1'));`],
  [
    "class C0 { get() { return '/v1'; } }",
    ...rows((i) => `class C${i + 1} { get() { return new C${i}().get(); } }`),
    `ask(new C${length}().get());`,
  ],
];
for (const program of programs) {
  const text = program.join('\n');
  const module = sourceModule('deep.js', text, engines.parse('deep.js', text).tree);
  const ev = createEvaluation({ modules: new Map([['deep.js', module]]), resolve: () => undefined }, clientRules);
  const asked = module.calls.flatMap(({ callee, args: [arg] }) => (callee.kind === 'name' && callee.name === 'ask' && arg ? [arg] : []));
  for (const arg of asked) ev.evaluate(arg, { module, frame: undefined });
}
console.log(programs.length);
