/** What a function keeps under a path for itself: counters, answers, promises. Whatever the path is, it is the same at all its places there. */
import { functionAround } from '../../../evaluate/calls/callees.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { Binding } from '../../../syntax/scopes.ts';
import type { Node } from '../../../syntax/tree.ts';
import { isExported } from '../readers.ts';

/** Whether a name is what such a collection has everything under: `counts[path]`, `seen.has(path)`, and nothing else that anybody asks it for. */
export function isOwnKey(key: Node, module: SourceModule): boolean {
  const { scopes } = module;
  const holder = holderAsked(key);
  const [asking, held] = [key, holder].map((node) => (node?.kind === 'name' ? scopes.bindingOf(node) : undefined));
  const owner = held?.owner;
  if (asking === undefined || held === undefined || owner?.kind !== 'variable' || owner.target.kind !== 'patternName') return false;
  const fn = functionAround(key);
  const isSame = (asked: Node | undefined): boolean =>
    asked?.kind === 'name' && scopes.bindingOf(asked) === asking && functionAround(asked) === fn;
  return isEmpty(owner.init) && !isExported(held, module) && isConstant(held) && held.references.every((each) => isSame(askedOf(each)));
}

const isConstant = ({ again }: Binding): boolean => again.length === 0;

const keeping = /^(?:get|set|has|add|delete)$/;

/** What is asked by a name. */
function holderAsked(key: Node): Node | undefined {
  const { parent } = key;
  if (parent?.kind === 'member') return parent.computed === key ? parent.object : undefined;
  const callee = parent?.kind === 'call' && parent.args[0] === key ? parent.callee : undefined;
  return callee?.kind === 'member' && keeping.test(callee.property ?? '') ? callee.object : undefined;
}

/** What a collection is asked for at one place. */
function askedOf({ parent }: Node): Node | undefined {
  if (parent?.kind !== 'member') return undefined;
  if (parent.computed !== undefined) return parent.computed;
  return keeping.test(parent.property ?? '') && parent.parent?.kind === 'call' && parent.parent.callee === parent
    ? parent.parent.args[0]
    : undefined;
}

/** `{}`, `Object.create(null)`, `new Map()` */
function isEmpty(made: Node | undefined): boolean {
  if (made?.kind === 'object') return made.properties.length === 0;
  if (made?.kind !== 'call') return false;
  if (made.isNew) return made.args.length === 0 && made.callee.kind === 'name' && /^(?:Map|Set)$/.test(made.callee.name);
  const { callee, args } = made;
  const isCreated =
    callee.kind === 'member' && callee.property === 'create' && callee.object.kind === 'name' && callee.object.name === 'Object';
  return isCreated && args.length === 1 && args[0]?.kind === 'literal' && args[0].value === null;
}
