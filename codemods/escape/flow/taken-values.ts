/** What others can take of a module, a function, a class or an instance. */
import { membersIn } from '../../evaluate/classes/class-index.ts';
import { exportedValue } from '../../evaluate/names/exports.ts';
import { superclassOf } from '../../evaluate/classes/subclasses.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { ClassValue, FunctionValue, InstanceValue, Value } from '../../evaluate/values/values.ts';
import { walk } from '../../syntax/link.ts';
import type { Expression, FunctionNode, MemberDeclaration } from '../../syntax/tree.ts';

export function exportsOf(ev: Evaluation, module: SourceModule): (Value | undefined)[] {
  const passedOn = module.stars.flatMap((specifier) => ev.world.resolve(module, specifier) ?? []);
  return [
    ...[...module.exports.keys(), ...(module.whole === undefined ? [] : ['default'])].map((name) => exportedValue(ev, module, name)),
    ...passedOn.map((from): Value => ({ type: 'namespace', module: from })),
  ];
}

/** What a function returns, for any caller. */
export function returnedBy(ev: Evaluation, { node, module, frame }: FunctionValue): Value[] {
  return returnsOf(node).map((returned) => ev.evaluate(returned, { module, frame }));
}

function returnsOf(fn: FunctionNode): readonly Expression[] {
  if (fn.body === undefined) return [];
  if (fn.body.kind !== 'block') return [fn.body];
  const found: Expression[] = [];
  walk(fn.body, (node) => {
    if (node.kind === 'return' && node.argument !== undefined) found.push(node.argument);
    return node.kind !== 'function' && node.kind !== 'class';
  });
  return found;
}

/** What others can take from an instance, or from a class itself. */
export function membersOf(ev: Evaluation, value: ClassValue | InstanceValue, isTaken: (name: string) => boolean): Value[] {
  const of = value.type === 'class' ? value : value.of;
  const at = { module: of.module, frame: undefined };
  const names = [...memberNames(ev, of, value.type === 'class')].filter((name) => value.type === 'class' || isTaken(name));
  return names.map((name) => ev.member(value, name, of.node, at));
}

function memberNames(ev: Evaluation, of: ClassValue, isStatic: boolean): Set<string> {
  const { node, module } = of;
  const names = new Set<string>();
  const members = membersIn(node, module);
  for (const member of members) {
    if (member.isStatic === isStatic && isOpen(member, module)) names.add(member.name);
    if (isStatic || member.value === undefined) continue;
    walk(member.value, ({ kind, ...assign }) => {
      const target = kind === 'assign' && 'target' in assign ? assign.target : undefined;
      if (target?.kind === 'member' && target.object.kind === 'this' && target.property !== undefined) names.add(target.property);
    });
  }
  const superclass = superclassOf(ev, of);
  if (superclass?.type === 'class') for (const name of memberNames(ev, superclass, isStatic)) names.add(name);
  const hidden = members.filter((member) => member.name !== undefined && !isOpen(member, module));
  for (const { name } of hidden) if (name !== undefined) names.delete(name);
  return new Set([...names].filter((name) => !/^[#_]/.test(name)));
}

/** Whether code outside of the class is meant to use a member. */
const isOpen = (member: MemberDeclaration, { text }: SourceModule): member is MemberDeclaration & { readonly name: string } =>
  member.name !== undefined &&
  member.role !== 'constructor' &&
  member.role !== 'set' &&
  !/^\s*(?:@[\w.]+(?:\([^()]*\))?\s*)*(?:private|protected)\b/.test(text.slice(member.start, member.start + 200));
