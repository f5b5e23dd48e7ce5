/** What a file imports, by what it is called there. */
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode } from '../../syntax/tree.ts';
import type { SourceModule } from '../module.ts';

/** Also what is imported in the middle of code, and what tests replace: any text that leads to a file counts. */
export const specifiersOf = (module: SourceModule): string[] => [...declaredBy(module), ...module.calls.flatMap(givenFirst)];

/** What is imported by whatever means. */
export const importedBy = (module: SourceModule): string[] => [
  ...declaredBy(module),
  ...module.calls.flatMap((call) => (isRequire(call, module) ? givenFirst(call) : [])),
];

/** `require('./texts')`, whatever it is called: `const load = createRequire(import.meta.url)`. */
export function isRequire({ callee }: CallNode, { scopes }: SourceModule): boolean {
  if (callee.kind !== 'name') return false;
  if (/^(?:require|import)$/.test(callee.name)) return true;
  const owner = scopes.bindingOf(callee)?.owner;
  const made = owner?.kind === 'variable' && owner.init?.kind === 'call' ? owner.init.callee : undefined;
  return (made?.kind === 'name' ? made.name : made?.kind === 'member' ? made.property : undefined) === 'createRequire';
}

/** What is handed on as it is: `export * from './services'`. */
export const passedOnBy = ({ tree: { program } }: SourceModule): string[] =>
  nodesOfKind(program, 'export').flatMap(({ source }) => source?.value ?? []);

const declaredBy = (module: SourceModule): string[] => [
  ...nodesOfKind(module.tree.program, 'import').map(({ source }) => source.value),
  ...passedOnBy(module),
];

/** The texts that a call is given first, whichever of two: `import(isBuilt ? '../dist/app.js' : '../src/app.js')`. */
export function givenFirst({ args: [first] }: CallNode): string[] {
  const nodes = first?.kind === 'conditional' ? [first.whenTrue, first.whenFalse] : [first];
  return nodes.flatMap((node) => (node?.kind === 'string' ? node.value : []));
}
