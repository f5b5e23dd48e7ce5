/** What is kept under paths by a program for itself: counters, answers, promises. Whatever the names are, they are the same at all its places. */
import type { SourceModule } from '../../evaluate/module.ts';
import type { Node } from '../../syntax/tree.ts';
import { isExported } from './readers.ts';

/** Whether something is a name under which such a collection keeps something: `counts[path]`, `seen.has(path)`. */
export function isOwnKey(key: Node, module: SourceModule): boolean {
  const { parent } = key;
  const call = parent?.kind === 'call' && parent.args[0] === key && parent.callee.kind === 'member' ? parent.callee : undefined;
  const holder =
    parent?.kind === 'member' && parent.computed === key ? parent.object : keeping.test(call?.property ?? '') ? call?.object : undefined;
  const binding = holder?.kind === 'name' ? module.scopes.bindingOf(holder) : undefined;
  const owner = binding?.owner;
  if (binding === undefined || owner?.kind !== 'variable' || owner.target.kind !== 'patternName' || !isEmpty(owner.init)) return false;
  return !isExported(binding, module) && binding.references.every(isOfOwnNames);
}

const keeping = /^(?:get|set|has|add|delete)$/;

/** `{}`, `Object.create(null)`, `new Map()` */
function isEmpty(made: Node | undefined): boolean {
  if (made?.kind === 'object') return made.properties.length === 0;
  if (made?.kind !== 'call') return false;
  if (made.isNew) return made.args.length === 0 && made.callee.kind === 'name' && /^(?:Map|Set)$/.test(made.callee.name);
  return made.callee.kind === 'member' && made.callee.property === 'create';
}

/** Whether a collection is asked there for nothing that is written out. */
function isOfOwnNames({ parent }: Node): boolean {
  if (parent?.kind !== 'member') return false;
  if (parent.computed !== undefined) return parent.computed.kind !== 'string';
  const [name] = parent.parent?.kind === 'call' ? parent.parent.args : [];
  return parent.property === 'size' || (keeping.test(parent.property ?? '') && name?.kind !== 'string');
}
