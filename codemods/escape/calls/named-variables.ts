/**
 * Places that name a variable of the environment for something that may read it: a key of a schema, a member of a class, a text that is handed on. What becomes
 * of the variable there the evaluation does not say; where no code is seen to read it otherwise, it may be read by these (`judge/constraints/unseen-readers.ts`).
 */
import { anyOf, common } from '../../clients/testing/declared-tests.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isDataFile } from '../../find/kinds.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node, PropertyNode, StringNode } from '../../syntax/tree.ts';
import type { VariableUse } from '../../uses-between-components.ts';

export function variablesNamedIn(modules: Iterable<SourceModule>, names: ReadonlySet<string>): VariableUse[] {
  if (names.size === 0) return [];
  return Array.from(modules).flatMap((module) => {
    if (isDataFile.test(module.file) || ![...names].some((name) => module.text.includes(name))) return [];
    return namedIn(module, names).map(({ node: { start, end }, name }) => ({
      file: module.file,
      start,
      end,
      ...module.position(start),
      name,
      group: undefined,
      needsValue: true,
    }));
  });
}

interface Naming {
  readonly node: Pick<Node, 'start' | 'end'>;
  readonly name: string;
}

function namedIn({ tree: { program } }: SourceModule, names: ReadonlySet<string>): Naming[] {
  const isNamed = (name: string | undefined): name is string => name !== undefined && names.has(name);
  return [
    ...nodesOfKind(program, 'property').flatMap((node) =>
      isNamed(node.name) && isDescribed(node) ? { node: { start: node.keyStart, end: node.keyEnd }, name: node.name } : [],
    ),
    ...nodesOfKind(program, 'classMember').flatMap((node) =>
      isNamed(node.name) && node.role === 'field' ? { node, name: node.name } : [],
    ),
    ...nodesOfKind(program, 'string').flatMap((node) => (isNamed(node.value) && isHandedOn(node) ? { node, name: node.value } : [])),
  ];
}

/** `API_URL: { type: 'string' }`, `API_URL: url()`; beside a value it is set, and who reads it there is found by that. */
const isDescribed = ({ value, shorthand }: PropertyNode): boolean => !shorthand && (value.kind === 'object' || value.kind === 'call');

/** `@Value('API_URL')`, `settings.lookup('API_URL')`, `{ env: 'API_URL' }`: not where it is set, shown or only listed. */
function isHandedOn(node: StringNode): boolean {
  const { parent } = node;
  if (parent?.kind === 'property') return parent.value === node;
  if (parent?.kind !== 'call' || parent.callee === node) return false;
  const { callee } = parent;
  const called = callee.kind === 'member' ? (callee.property ?? '') : callee.kind === 'name' ? callee.name : '';
  return !settingOrShowing.test(called);
}

const settingOrShowing = new RegExp(
  String.raw`^(?:set|stub|put|add|delete|unset|mock|log|info|warn|debug|error|trace|includes|has|push|${anyOf(common)}|expect|\w*Error)`,
);
