/** What calls of a function leave outside of it: `current = options`. What one of them made may find there what another left, and so they are not told apart. */
import { functionAround } from '../evaluate/calls/callees.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { ParamValue } from '../evaluate/values/values.ts';
import type { Binding } from '../syntax/scopes.ts';
import { walk } from '../syntax/link.ts';
import type { Node } from '../syntax/tree.ts';
import { rootOf } from './mutations.ts';

type Owner = ParamValue['owner'];

const known = new WeakMap<Owner, boolean>();

/** Whether a function puts something of its own into what stands around it. */
export function leavesBehind(owner: Owner, moduleOf: () => SourceModule | undefined): boolean {
  const found = known.get(owner) ?? isLeaving(owner, moduleOf());
  known.set(owner, found);
  return found;
}

function isLeaving(owner: Owner, module: SourceModule | undefined): boolean {
  const bindingOf = (node: Node): Binding | undefined => (node.kind === 'name' ? module?.scopes.bindingOf(node) : undefined);
  const isOwn = ({ declaration: { start } }: Binding): boolean => owner.start <= start && start < owner.end;
  // Asked once of each, however much is put into it.
  const elsewhere = new Map<Binding, boolean>();
  const isReadElsewhere = (target: Binding): boolean => {
    const found = elsewhere.get(target) ?? isReadBeside(owner, target);
    elsewhere.set(target, found);
    return found;
  };
  let isFound = false;
  walk(owner, (node) => {
    const { into, values } = putBy(node);
    const target = into && bindingOf(rootOf(into));
    if (target === undefined || isOwn(target)) return !isFound;
    if (node.kind === 'assign' || (runsWith(owner, node) && isReadElsewhere(target)))
      for (const value of values)
        walk(value, (each) => {
          const binding = bindingOf(each);
          return !(isFound ||= binding !== undefined && isOwn(binding));
        });
    return !isFound;
  });
  return isFound;
}

const putting = /^(?:set|add|push|unshift|splice)$/;

/** What something is put into, and what that is: `a.b = c`, `a.set(b, c)`, `Object.assign(a, b)`. */
function putBy(node: Node): { readonly into?: Node | undefined; readonly values: readonly Node[] } {
  if (node.kind === 'assign') return { into: node.target, values: [node.value] };
  if (node.kind !== 'call' || node.callee.kind !== 'member') return { values: [] };
  const { property = '', object } = node.callee;
  if (property === 'assign') return { into: node.args[0], values: node.args.slice(1) };
  return putting.test(property) ? { into: object, values: node.args } : { values: [] };
}

/** Whether it is done while a function runs, in it or in what it calls something with: a cache is filled by what is asked later. */
function runsWith(owner: Owner, node: Node): boolean {
  let by = functionAround(node);
  while (by !== undefined && by !== owner && by.parent?.kind === 'call') by = functionAround(by);
  return by === owner;
}

/** Whether anything but a function itself reads what it puts there: to look for what was made before is to take that alone. */
const isReadBeside = (owner: Owner, { references, owner: { kind } }: Binding): boolean =>
  kind === 'import' || references.some((each) => functionAround(each) !== owner);
