import type { Node, ProgramNode } from './tree.ts';

/**
 * Calls `visit` with each child of a node, in source order; with nothing below the children.
 */
export function eachChild(node: Node, visit: (child: Node) => void): void {
  const all = (nodes: readonly (Node | undefined)[]): void => {
    for (const child of nodes) if (child) visit(child);
  };
  switch (node.kind) {
    case 'string':
    case 'literal':
    case 'name':
    case 'patternName':
    case 'this':
    case 'super':
      return;
    case 'template':
      return all(node.expressions);
    case 'member':
      return all([node.object, node.computed]);
    case 'call':
      visit(node.callee);
      return all(node.args);
    case 'tagged':
      return all([node.tag, node.template]);
    case 'spread':
    case 'unary':
    case 'await':
      return visit(node.argument);
    case 'return':
      return all([node.argument]);
    case 'property':
      return all([node.computed, node.value]);
    case 'object':
      return all(node.properties);
    case 'array':
      return all(node.elements);
    case 'concat':
    case 'binary':
    case 'logical':
      visit(node.left);
      return visit(node.right);
    case 'conditional':
      return all([node.test, node.whenTrue, node.whenFalse]);
    case 'assign':
      visit(node.target);
      return visit(node.value);
    case 'function':
      all([node.name]);
      all(node.params);
      return all([node.body]);
    case 'param':
      all(node.decorators);
      return all([node.target, node.default]);
    case 'class':
      all(node.decorators);
      all([node.name, node.superclass]);
      return all(node.members);
    case 'classMember':
      all(node.decorators);
      return all([node.computed, node.value]);
    case 'objectPattern':
      all(node.properties);
      return all([node.rest]);
    case 'patternProperty':
      return all([node.computed, node.target, node.default]);
    case 'arrayPattern':
      return all(node.elements.flatMap((element) => (element ? [element.target, element.default] : [])));
    case 'variable':
      return all([node.target, node.init]);
    case 'enum':
      visit(node.name);
      return all(node.members.map((member) => member.value));
    case 'import':
      all(node.specifiers.map((specifier) => specifier.local));
      return visit(node.source);
    case 'export':
      all(node.specifiers.map((specifier) => specifier.reference));
      return all([node.source]);
    case 'exportDeclaration':
      return all(node.declarations);
    case 'block':
      all(node.params);
      return all(node.body);
    case 'other':
      return all(node.children);
    case 'program':
      return all(node.body);
  }
}

/** The children of a node, in source order. */
export function children(node: Node): Node[] {
  const found: Node[] = [];
  eachChild(node, (child) => found.push(child));
  return found;
}

/**
 * Visits a node and all below it, parents before children, in source order. Uses no stack of its own calls, so no depth of
 * nesting is too much.
 *
 * @param visit may return false to leave out what is below the node
 */
export function walk(node: Node, visit: (node: Node) => void | boolean): void {
  const waiting: Node[] = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (visit(next) === false) continue;
    const below = children(next);
    for (let index = below.length - 1; index >= 0; index--) waiting.push(below[index] as Node);
  }
}

/** Sets `parent` on every node below the program. */
export function link(program: ProgramNode): void {
  const waiting: Node[] = [program];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const parent = next;
    eachChild(parent, (child) => {
      child.parent = parent;
      waiting.push(child);
    });
  }
}
