/** Rows that a test runs for: what Vitest, Jest and their like hand to a function for each row of `test.each(rows)('…', fn)`. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { choiceOf, optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Expression, Node, ParamNode, TaggedNode } from '../../syntax/tree.ts';
import { objectOf } from '../servers/incoming.ts';
import { anyOf, common, tables } from './declared-tests.ts';

/** Only Vitest and Jest have tables, and neither `specify` nor `context`. */
const runners = new RegExp(`^(?:[xf]?${anyOf(common)}|suite)$`);

/** @returns what it may be in any of the rows; undefined where a row is not known */
function injected(ev: Evaluation, param: ParamNode, { module }: At): Value | undefined {
  const { parent: fn } = param;
  const made = fn?.kind === 'function' && fn.parent?.kind === 'call' ? fn.parent.callee : undefined;
  if (fn?.kind !== 'function' || made === undefined || param.isRest) return undefined;
  const at: At = { module, frame: undefined };
  const index = fn.params.indexOf(param);
  if (made.kind === 'tagged' && isTable(made.tag)) return index === 0 ? columnsOf(ev, made, at) : undefined;
  const rows = made.kind === 'call' && isTable(made.callee) ? rowsOf(ev, made, at) : undefined;
  const isSpread = made.kind === 'call' && made.callee.kind === 'member' && made.callee.property === 'each';
  const cells = rows?.map((row) => {
    if (row.type !== 'list' || !isSpread) return index === 0 ? row : undefined;
    return row.isOpen ? undefined : row.items[index];
  });
  return cells?.every((cell) => cell !== undefined) === true ? choiceOf(cells) : undefined;
}

/** `test.each`, `describe.skip.each`; Vitest's `for` hands a row on as it is. */
function isTable(callee: Node): boolean {
  if (callee.kind !== 'member' || !tables.has(callee.property ?? '')) return false;
  let at: Expression = callee;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'name' && runners.test(at.name);
}

function rowsOf(ev: Evaluation, { args: [table] }: CallNode, at: At): readonly Value[] | undefined {
  const lists = table === undefined || table.kind === 'spread' ? [] : optionsOf(ev.evaluate(table, at));
  const rows = lists.flatMap((list) => (list.type === 'list' && !list.isOpen ? list.items : []));
  return rows.length > 0 && lists.every((list) => list.type === 'list' && !list.isOpen) ? rows : undefined;
}

/** A template with the names of the columns in its first line, and a value in each cell below. */
function columnsOf(ev: Evaluation, { template }: TaggedNode, at: At): Value | undefined {
  if (template.kind !== 'template') return undefined;
  const names = (template.texts[0]?.value ?? '').split('|').map((name) => name.trim());
  const cells = Map.groupBy(template.expressions.entries(), ([index]) => names[index % names.length] ?? '');
  const columns = [...cells].map(([name, values]) => [name, choiceOf(values.map(([, value]) => ev.evaluate(value, at)))] as const);
  return objectOf(Object.fromEntries(columns), { node: template, module: at.module });
}

/** What is in a table is in the parameters of the function that is written behind it. */
const handsOn: ClientRule['handsOn'] = (_ev, node, module) => {
  const { parent: made } = node;
  const isRows = (made?.kind === 'call' && isTable(made.callee)) || (made?.kind === 'tagged' && isTable(made.tag));
  const fn = isRows && made.parent?.kind === 'call' && made.parent.callee === made ? made.parent.args[1] : undefined;
  return fn?.kind === 'function' ? [{ params: fn.params, module }] : undefined;
};

export const testTables: ClientRule = { name: 'tables of tests', isForTests: true, injected, handsOn };
