/**
 * Nodes as jscodeshift's parsers give them: Babel's own, or ESTree's from the Flow parser and Babel's `estree` plugin. They come
 * untyped, and in two dialects, so they are read by the names of their fields.
 */
export interface AstNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

export function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function maybe(node: AstNode, field: string): AstNode | undefined {
  const value = node[field];
  return isNode(value) ? value : undefined;
}

/** @throws TypeError where the node lacks what its type promises */
export function part(node: AstNode, field: string): AstNode {
  const value = maybe(node, field);
  if (value === undefined) throw new TypeError(`${node.type} without ${field}`);
  return value;
}

/** The nodes of a list, undefined for each unknown part; none where there is no such field. */
export function holed(node: AstNode, field: string): (AstNode | undefined)[] {
  const value = node[field];
  return Array.isArray(value) ? value.map((item: unknown) => (isNode(item) ? item : undefined)) : [];
}

export function parts(node: AstNode, field: string): AstNode[] {
  return holed(node, field).filter((item) => item !== undefined);
}

export function word(node: AstNode, field: string): string {
  const value = node[field];
  return typeof value === 'string' ? value : '';
}

export function has(node: AstNode, field: string): boolean {
  return node[field] === true;
}

/** Offsets: Babel's `start` and `end`, Flow's `range`. */
export function startOf(node: AstNode): number {
  return offset(node, 'start', 0);
}

export function endOf(node: AstNode): number {
  return offset(node, 'end', 1);
}

function offset(node: AstNode, field: 'start' | 'end', index: 0 | 1): number {
  const own = node[field];
  if (typeof own === 'number') return own;
  const range: unknown = Array.isArray(node.range) ? node.range[index] : undefined;
  if (typeof range === 'number') return range;
  throw new TypeError(`${node.type} without ${field}`);
}
