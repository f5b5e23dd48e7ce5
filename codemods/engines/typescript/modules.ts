/** Imports and exports. */
import type { ExportDeclarationNode, ExportNode, ImportNode, Node, VariableNode } from '../../syntax/tree.ts';
import { compiler, type ts } from './compiler.ts';
import { declaredName, stringOf } from './names.ts';
import type { Reader } from './reader.ts';

type Specifier = ImportNode['specifiers'][number];

export function importDeclaration(node: ts.ImportDeclaration, reader: Reader): ImportNode {
  const specifiers: Specifier[] = [];
  const clause = node.importClause;
  if (clause?.name) specifiers.push({ imported: 'default', local: declaredName(clause.name, reader) });
  const bindings = clause?.namedBindings;
  if (bindings && compiler.isNamespaceImport(bindings)) specifiers.push({ imported: '*', local: declaredName(bindings.name, reader) });
  else
    for (const { name, propertyName } of bindings?.elements ?? [])
      specifiers.push({ imported: (propertyName ?? name).text, local: declaredName(name, reader) });
  return {
    kind: 'import',
    source: stringOf(node.moduleSpecifier as ts.StringLiteral, reader),
    isType: clause?.phaseModifier === compiler.SyntaxKind.TypeKeyword,
    specifiers,
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

/** `import a = require('m')` imports all of the module; `import a = b.c` is a variable. */
export function importEquals(node: ts.ImportEqualsDeclaration, reader: Reader): ImportNode | VariableNode {
  const { moduleReference: reference } = node;
  const local = declaredName(node.name, reader);
  const place = { start: reader.start(node), end: reader.end(node) };
  if (compiler.isExternalModuleReference(reference)) {
    const source = stringOf(reference.expression as ts.StringLiteral, reader);
    return { kind: 'import', source, isType: node.isTypeOnly, specifiers: [{ imported: '*', local }], ...place };
  }
  return { kind: 'variable', declares: 'const', target: local, init: entity(reference, reader), ...place };
}

function entity(node: ts.EntityName, reader: Reader): NonNullable<VariableNode['init']> {
  const place = { start: reader.start(node), end: reader.end(node) };
  if (compiler.isIdentifier(node)) return { kind: 'name', name: node.text, ...place };
  const property = { property: node.right.text, propertyStart: reader.start(node.right), propertyEnd: reader.end(node.right) };
  return { kind: 'member', object: entity(node.left, reader), ...property, ...place };
}

/** @returns nothing for `export type { … }` */
export function exportDeclaration(node: ts.ExportDeclaration, reader: Reader): ExportNode | readonly Node[] {
  if (node.isTypeOnly) return [];
  return {
    kind: 'export',
    ...(node.moduleSpecifier && { source: stringOf(node.moduleSpecifier as ts.StringLiteral, reader) }),
    specifiers: exportSpecifiers(node, reader),
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

function exportSpecifiers({ exportClause, moduleSpecifier }: ts.ExportDeclaration, reader: Reader): ExportNode['specifiers'] {
  if (exportClause === undefined) return [{ name: '*' }];
  if (compiler.isNamespaceExport(exportClause)) return [{ name: '*', exported: exportClause.name.text }];
  return exportClause.elements
    .filter((element) => !element.isTypeOnly)
    .map(({ name, propertyName }) => {
      const local = propertyName ?? name;
      const specifier = { name: local.text, exported: name.text };
      if (moduleSpecifier) return specifier;
      return { ...specifier, reference: { kind: 'name', name: local.text, start: reader.start(local), end: reader.end(local) } };
    });
}

export function exportAssignment(node: ts.ExportAssignment, reader: Reader): ExportDeclarationNode {
  const isAssignment = node.isExportEquals === true;
  const declarations = [reader.expression(node.expression)];
  return {
    kind: 'exportDeclaration',
    isDefault: !isAssignment,
    isAssignment,
    declarations,
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}
