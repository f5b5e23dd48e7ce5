/** What `this` is in the methods of an object. */
import { walk } from '../../syntax/link.ts';
import type { Node, ObjectNode } from '../../syntax/tree.ts';

const selves = new WeakMap<ObjectNode, readonly Node[]>();

/** Every `this` in the methods of an object through which something is written: `{ base: '', setUp(base) { this.base = base; } }`. */
export function selvesIn(object: ObjectNode): readonly Node[] {
  const before = selves.get(object);
  if (before !== undefined) return before;
  const found: Node[] = [];
  for (const property of object.properties) {
    if (property.kind !== 'property' || property.value.kind !== 'function' || property.value.isArrow) continue;
    walk(property.value, (node) => {
      if (node.kind === 'this') found.push(node);
      // What `this` is in there is another.
      return node.kind !== 'class' && (node.kind !== 'function' || node.isArrow || node === property.value);
    });
  }
  selves.set(object, found);
  return found;
}
