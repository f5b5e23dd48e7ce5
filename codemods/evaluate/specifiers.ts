/** What a file imports, by what it is called there. */
import { nodesOfKind } from '../syntax/link.ts';
import type { CallNode } from '../syntax/tree.ts';
import type { SourceModule } from './module.ts';

/** Also what is imported in the middle of code, and what tests replace: any text that leads to a file counts. */
export const specifiersOf = (module: SourceModule): string[] => [...declaredBy(module), ...module.calls.flatMap(givenFirst)];

/** What is imported by whatever means. */
export const importedBy = (module: SourceModule): string[] => [
  ...declaredBy(module),
  ...module.calls.flatMap((call) => (call.callee.kind === 'name' && /^(?:require|import)$/.test(call.callee.name) ? givenFirst(call) : [])),
];

const declaredBy = ({ tree: { program } }: SourceModule): string[] =>
  [...nodesOfKind(program, 'import'), ...nodesOfKind(program, 'export')].flatMap(({ source }) => source?.value ?? []);

/** The texts that a call is given first, whichever of two: `import(isBuilt ? '../dist/app.js' : '../src/app.js')`. */
export function givenFirst({ args: [first] }: CallNode): string[] {
  const nodes = first?.kind === 'conditional' ? [first.whenTrue, first.whenFalse] : [first];
  return nodes.flatMap((node) => (node?.kind === 'string' ? node.value : []));
}
