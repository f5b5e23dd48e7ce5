/** What an instance of a class has itself, where it is copied: `{ ...client }`, `const { base, ...init } = client`, `Object.entries(client)`. Methods are not among it. */
import { fieldNames, membersIn } from './class-index.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { hasExports, namesBehindStars } from '../names/stars.ts';
import { superclassOf } from './subclasses.ts';
import { type ClassValue, type Entry, type InstanceValue, type NamespaceValue, type ObjectValue, type Value } from '../values/values.ts';

/** An instance as an object of its fields, a file of the project as one of what it exports; anything else as it is. */
export function fieldsOf(ev: Evaluation, value: Value, at: At): Value {
  if (value.type === 'namespace') return exportsOf(ev, value, at);
  return value.type === 'instance' ? objectOf(ev, value, at) : value;
}

/** `module.exports = { ...require('./headers'), ...require('./paths') }` */
function exportsOf(ev: Evaluation, value: NamespaceValue, at: At): ObjectValue {
  const { module, provenance } = value;
  const node = module.tree.program;
  const behind = namesBehindStars(ev.world, module);
  const entries = [...new Set([...module.exports.keys(), ...(behind ?? [])])].map((name): Entry => {
    const exported = (): Value => ev.member(value, name, node, { module: at.module, frame: undefined });
    return { name, key: undefined, node, module, valueNode: undefined, value: exported };
  });
  return { type: 'object', node, module, entries, unknown: behind === undefined ? [value] : [], provenance };
}

/** The same where its fields are listed one after the other: as they were put there, which is known where the class alone declares all of them. Whole numbers come first. */
export const fieldsInOrder = (ev: Evaluation, value: Value, at: At): Value =>
  value.type === 'instance' && hasOwnOrder(value.of) ? objectOf(ev, value, at) : value;

/** What a file exports, one after the other: in which order, a compiler decides as well as the file. */
export function exportsListed(ev: Evaluation, value: Value, at: At, list: (object: Value) => Value | undefined): Value | undefined {
  const found = value.type === 'namespace' && hasExports(value.module) ? list(exportsOf(ev, value, at)) : undefined;
  return found?.type === 'list' ? { ...found, isOpen: true, placed: 0 } : undefined;
}

function hasOwnOrder({ node, module }: ClassValue): boolean {
  const declared = new Set(membersIn(node, module).flatMap(({ role, name }) => (role === 'field' ? name : [])));
  return (
    node.superclass === undefined &&
    fieldNames(node, module).every((name) => name !== undefined && declared.has(name) && !/^\d+$/.test(name))
  );
}

function objectOf(ev: Evaluation, value: InstanceValue, at: At): ObjectValue {
  const names = new Set<string>();
  let isOpen = false;
  for (let of: Value | undefined = value.of; of !== undefined; of = of.type === 'class' ? superclassOf(ev, of) : undefined) {
    const own: readonly (string | undefined)[] = of.type === 'class' ? fieldNames(of.node, of.module) : [undefined];
    for (const name of own)
      if (name === undefined) isOpen = true;
      else if (!name.startsWith('#')) names.add(name);
  }
  const { node, module }: ClassValue = value.of;
  const entries = [...names].map((name): Entry => {
    const field = (): Value => ev.member(value, name, node, { module: at.module, frame: undefined });
    return { name, key: undefined, node, module, valueNode: undefined, value: field };
  });
  return { type: 'object', node, module, entries, unknown: isOpen ? [value] : [], provenance: value.provenance };
}
