/** Imports that a framework makes by itself, as if the file said so: they stand before all of it, and take no room. */
import type { ImpliedImport } from '../../find/modules/auto-imports.ts';
import { link, nodesOfKind } from '../../syntax/link.ts';
import { scopesOf } from '../../syntax/scopes.ts';
import type { ExportDeclarationNode, ImportNode, Node, SyntaxTree } from '../../syntax/tree.ts';

/** @param implied what counts for names that nothing in the file declares */
export function withImports(tree: SyntaxTree, implied: readonly ImpliedImport[]): SyntaxTree {
  const { program } = tree;
  link(program);
  const scopes = scopesOf(program);
  const open = new Set(nodesOfKind(program, 'name').flatMap((node) => (scopes.bindingOf(node) === undefined ? [node.name] : [])));
  const imports = implied.filter(({ name }) => open.has(name)).map(importOf);
  return imports.length === 0 ? tree : { ...tree, program: { ...program, body: [...imports, ...program.body] } };
}

const nowhere = { start: 0, end: 0, parent: undefined };

const importOf = ({ name, imported, from }: ImpliedImport): ImportNode => ({
  kind: 'import',
  source: { kind: 'string', value: from, quote: "'", ...nowhere },
  isType: false,
  specifiers: [{ imported, local: { kind: 'patternName', name, ...nowhere } }],
  ...nowhere,
});

/** A file without a scope of its own, as if it exported what it declares. */
export function withExports(tree: SyntaxTree): SyntaxTree {
  const body = tree.program.body.map((node): Node => (declaring.has(node.kind) ? exportOf(node) : node));
  return { ...tree, program: { ...tree.program, body } };
}

const declaring: ReadonlySet<Node['kind']> = new Set<Node['kind']>(['variable', 'function', 'class', 'enum']);

const exportOf = (node: Node): ExportDeclarationNode => ({
  kind: 'exportDeclaration',
  isDefault: false,
  isAssignment: false,
  declarations: [node],
  start: node.start,
  end: node.end,
});
