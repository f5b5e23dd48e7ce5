import { expect, it } from 'vitest';
import { outlineOf } from '../../../codemods/component/relevance/outline.ts';
import { Pruned } from '../../../codemods/component/relevance/pruned.ts';
import { visitedOf } from '../../../codemods/component/relevance/visited.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { parsedFile } from '../../../codemods/evaluate/module.ts';

const engines = await loadEngines();

/** What is left of a file in which statements that say `OURS` are followed. */
function left(statements: readonly string[], file = 'a.ts'): string[] {
  const text = statements.join('\n');
  const visited = visitedOf(outlineOf(parsedFile(file, text, engines.parse('a.ts', text).tree)), {
    resolve: () => undefined,
    named: () => [],
  });
  for (const unit of visited.outline.units) if (unit.text.includes('OURS')) visited.tainted.add(unit);
  const isReported = (each: string): boolean => each.includes('REPORTED');
  const nothing = (): boolean => false;
  const read = new Pruned({ isSuspicious: nothing, holdsPart: nothing, mayBeReported: isReported, mayBeReportedIn: () => true });
  const module = read.moduleOf(visited);
  const { body } = module.tree.program;
  return statements.filter((_, index) => {
    const end = statements.slice(0, index + 1).join('\n').length;
    return body.some((node) => node.end <= end && node.end > end - (statements[index]?.length ?? 0));
  });
}

it.each([
  ['it runs when the file is loaded', 'start(1);'],
  ['what it declares is what a call gives', 'const server = start(1);'],
  ['a template calls what stands before it', 'const query = gql`{ a }`;'],
  ['it is decorated', '@Module({}) class A {}'],
  ['the class does something when it is declared', 'class A { static { start(1); } }'],
  ['it may have to be reported', 'const limit = { REPORTED: 60 };'],
  ['it writes into what it is given', 'function aim(client) { client.base = 1; }'],
  ['it writes into what it is given, by an index', 'function aim(client, name) { client[name] = 1; }'],
  ['it copies into what it is given', 'const aim = (client) => Object.assign(client, { base: 1 });'],
  ['it writes into what it is given, by a path', "const aim = (client) => set(client, 'a.base', { b: 1, c: 2 });"],
  ['it writes into what it is given, by the names of a path', "const aim = (client) => set(client, ['a', 'base'], 1);"],
  ['a followed statement mentions it', 'function helper(OURS) {}'],
  ['it exports under other names', 'export { a as b };'],
])('a statement is read as %s', (_, statement) => {
  expect(left(['fetch(OURS);', statement])).toContain(statement);
});

it.each([
  'function helper() { start(1); }',
  'const helper = async (a: string) => start(a);',
  'const rows = [{ a: 1 }, { a: 2 }];',
  "const text = 'a (b)';",
  'class Cache { entries = new Map(); set(key) { this.entries = key; } }',
  'class Cache { entries = new Map(); keep(key, value) { this.entries.set(key, { value, at: 1 }); } }',
  'enum Kind { A, B }',
  'export function shown(state) { const [a, b] = state; return a === b; }',
])('%s is not read where nothing mentions it', (statement) => {
  expect(left(['fetch(OURS);', statement])).not.toContain(statement);
});

it('reads what is mentioned by what is read, however many statements away, and not what only shares a name with it', () => {
  const program = ['fetch(OURS);', 'start(one);', 'const one = () => two();', 'function two() {}', 'const three = ({ one }) => one;'];
  expect(left(program)).toEqual(program.slice(0, 4));
});

it('reads what shares its name with something inside of a statement as little as what only a list of exports names', () => {
  const program = ['fetch(OURS);', 'start(({ one }) => one);', 'function one() {}', 'export { two };', 'function two() {}'];
  expect(left(program)).toEqual([program[0], program[1], program[3]]);
});

it('reads all of the script of a component: its template may use any of it', () => {
  const program = ['fetch(OURS);', 'function shown() {}'];
  expect(left(program, 'a.vue')).toEqual(program);
});
