/** Imports and exports. */
import type { ExportDeclarationNode, ExportNode, Expression, ImportNode, Node, VariableNode } from '../../syntax/tree.ts';
import { declaredName, keyText, stringOf } from './names.ts';
import { endOf, has, maybe, part, parts, startOf, word, type AstNode } from './nodes.ts';
import type { Reader } from './reader.ts';

const place = (node: AstNode): { start: number; end: number } => ({ start: startOf(node), end: endOf(node) });

/** Flow has `import typeof` too. */
const isType = (node: AstNode, field: string): boolean => node[field] === 'type' || node[field] === 'typeof';

export function importDeclaration(node: AstNode, reader: Reader): ImportNode {
  return {
    kind: 'import',
    source: stringOf(part(node, 'source'), reader),
    isType: isType(node, 'importKind'),
    specifiers: parts(node, 'specifiers').map((specifier) => ({
      imported: importedName(specifier),
      local: declaredName(part(specifier, 'local')),
    })),
    ...place(node),
  };
}

function importedName(specifier: AstNode): string {
  if (specifier.type === 'ImportNamespaceSpecifier') return '*';
  const imported = maybe(specifier, 'imported');
  return imported ? keyText(imported) : 'default';
}

/** `import a = require('m')` imports all of the module; `import a = b.c` is a variable. */
export function importEquals(node: AstNode, reader: Reader): Node {
  const reference = part(node, 'moduleReference');
  const local = declaredName(part(node, 'id'));
  const isModule = reference.type === 'TSExternalModuleReference';
  const read: ImportNode | VariableNode = isModule
    ? {
        kind: 'import',
        source: stringOf(part(reference, 'expression'), reader),
        isType: isType(node, 'importKind'),
        specifiers: [{ imported: '*', local }],
        ...place(node),
      }
    : { kind: 'variable', declares: 'const', target: local, init: entity(reference), ...place(node) };
  return has(node, 'isExport')
    ? { kind: 'exportDeclaration', isDefault: false, isAssignment: false, declarations: [read], ...place(node) }
    : read;
}

function entity(node: AstNode): Expression {
  if (node.type !== 'TSQualifiedName') return { kind: 'name', name: word(node, 'name'), ...place(node) };
  const right = part(node, 'right');
  const property = { property: word(right, 'name'), propertyStart: startOf(right), propertyEnd: endOf(right) };
  return { kind: 'member', object: entity(part(node, 'left')), ...property, ...place(node) };
}

/** @returns nothing for exported types */
export function exportNamed(node: AstNode, reader: Reader): ExportNode | ExportDeclarationNode | readonly Node[] {
  const declaration = maybe(node, 'declaration');
  if (declaration) return exported(node, reader.statements([declaration]), false);
  if (isType(node, 'exportKind')) return [];
  const source = maybe(node, 'source');
  return {
    kind: 'export',
    ...(source && { source: stringOf(source, reader) }),
    specifiers: parts(node, 'specifiers')
      .filter((specifier) => !isType(specifier, 'exportKind'))
      .map((specifier) => exportSpecifier(specifier, source !== undefined)),
    ...place(node),
  };
}

function exportSpecifier(node: AstNode, hasSource: boolean): ExportNode['specifiers'][number] {
  const exportedName = keyText(part(node, 'exported'));
  if (node.type === 'ExportNamespaceSpecifier') return { name: '*', exported: exportedName };
  const local = maybe(node, 'local');
  if (local === undefined) return { name: 'default', exported: exportedName };
  const name = keyText(local);
  return { name, exported: exportedName, ...(!hasSource && { reference: { kind: 'name', name, ...place(local) } }) };
}

export function exportAll(node: AstNode, reader: Reader): ExportNode | readonly Node[] {
  if (isType(node, 'exportKind')) return [];
  const name = maybe(node, 'exported');
  const source = stringOf(part(node, 'source'), reader);
  return { kind: 'export', source, specifiers: [{ name: '*', ...(name && { exported: keyText(name) }) }], ...place(node) };
}

export function exportDefault(node: AstNode, reader: Reader): ExportDeclarationNode | readonly Node[] {
  return exported(node, reader.statements([part(node, 'declaration')]), true);
}

export function exportAssignment(node: AstNode, reader: Reader): ExportDeclarationNode {
  const declarations = [reader.expression(part(node, 'expression'))];
  return { kind: 'exportDeclaration', isDefault: false, isAssignment: true, declarations, ...place(node) };
}

function exported(node: AstNode, declarations: readonly Node[], isDefault: boolean): ExportDeclarationNode | readonly Node[] {
  if (declarations.length === 0) return [];
  return { kind: 'exportDeclaration', isDefault, isAssignment: false, declarations, ...place(node) };
}
