/** Which names something is written into: what a text says, in which a type has its default and an attribute its value in the same way, and of these what the tree says. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';

/**
 * Finds names, which are no members, from where something is written behind them: there are far more names. What ends in a full stop before one may be a
 * comment, and what stands in brackets before one may write, too.
 */
function namesBefore(place: string, times: '*' | '+', mark = place, unless = ''): RegExp {
  const name = String.raw`(?<![\w$.])${unless}([A-Za-z_$\u0080-\uFFFF][\w$\u0080-\uFFFF]*)`;
  const [wide, narrow] = [String.raw`\.\s*\w+|\[[^\]\n]*\]`, String.raw`\.\w+|\[[^[\]\n]*\]`].map(
    (member) => String.raw`(?<=${name}\s*(?:\??${member})${times}\s*${mark})`,
  );
  return new RegExp(`${place}${wide}(?:${narrow}|)`, 'g');
}

const [assignment, assigning] = ['=(?![=>])', '[+|&?]{0,2}='];
const assigned = namesBefore(assignment, '*', assigning);
const memberAssigned = namesBefore(assignment, '+', assigning);
const putting = ['set', 'add', 'append', 'push', 'unshift', 'use'];
const put = namesBefore(String.raw`\.\s*(?:${putting.join('|')})\s*\(`, '*');
/** Headers, maps and parameters are done with it at once and return nothing to go on with, as a request or a query does: `await db.delete(users).where(…)`. */
const deleted = namesBefore(
  String.raw`\.\s*delete\s*\((?!(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*\??\.)`,
  '*',
  String.raw`\.\s*delete\s*\(`,
  String.raw`(?<!\bawait\s{1,9})`,
);
const assignedTo = /\bassign\s*\(\s*(?=([A-Za-z_$\u0080-\uFFFF][\w$\u0080-\uFFFF]*))/g;
/** What a function is given first, and an address behind it, it may lead there: `point(settings, 'https://…')`. Tests compare what they are given with one. */
const pointed = /(?<!\bURL)\(\s*([A-Za-z_$\u0080-\uFFFF][\w$\u0080-\uFFFF]*)(?:\s*\??\.\s*\w+)*\s*,[^()]{0,200}?['"`]https?:\/\//g;

/** The names that something may be written into, `name.a = b`, `Object.assign(name, …)`, `name.set(…)`; and to: `name = b`. */
export const writtenIn = (text: string, file: string): ReadonlySet<string> => writes(text, file, assigned);

/** The names that something may be written into: what is imported cannot be written to. */
export const writtenInto = (text: string, file: string): ReadonlySet<string> => writes(text, file, memberAssigned);

function writes(text: string, file: string, byAssignment: RegExp): ReadonlySet<string> {
  const found = new Set<string>();
  for (const pattern of [byAssignment, put, deleted, assignedTo, ...(isTest({ file }) ? [] : [pointed])])
    for (const [, wide = '', narrow = wide] of text.matchAll(pattern)) found.add(wide).add(narrow);
  return found;
}

/** Those of the names that something in a statement is written into, or to. */
export function writtenInTree(node: Node, names: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  if (names.size === 0) return found;
  const find = (at: Node | undefined): void => {
    const name = rootOf(at);
    if (name !== undefined && names.has(name)) found.add(name);
  };
  walk(node, (each) => {
    if (each.kind === 'assign' || (each.kind === 'variable' && each.init !== undefined)) find(each.target);
    if (each.kind !== 'call') return;
    const { callee, args } = each;
    const called = callee.kind === 'member' ? callee.property : callee.kind === 'name' ? callee.name : undefined;
    if (called === 'assign' || isPointing(each)) find(args[0]);
    else if (called === 'delete' || putting.includes(called ?? '')) find(callee);
  });
  return found;
}

/** Whether a call has an address behind what it gives first. */
export const isPointing = ({ args }: CallNode): boolean => args.slice(1).some(hasAddress);

function hasAddress(arg: Node): boolean {
  let isFound = false;
  walk(arg, (each) => {
    const text = each.kind === 'string' ? each.value : each.kind === 'template' ? (each.texts[0]?.value ?? '') : '';
    isFound ||= /^https?:\/\//.test(text);
  });
  return isFound;
}

function rootOf(node: Node | undefined): string | undefined {
  let root = node;
  while (root?.kind === 'member') root = root.object;
  return root?.kind === 'name' || root?.kind === 'patternName' ? root.name : undefined;
}
