/** What a class says of its fields, by their names: found in one walk, however often it is asked for. */
import { walk } from '../../syntax/link.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type {
  AssignNode,
  ClassNode,
  Expression,
  FunctionNode,
  MemberDeclaration,
  MemberNode,
  NameNode,
  Node,
  ParamNode,
  VariableNode,
} from '../../syntax/tree.ts';
import { copiedFrom, isObjectAssign } from '../writes/copies.ts';
import type { SourceModule } from '../module.ts';

/** `this.name = …`, `Object.assign(this, …)` or an object that a loop copies, with the method it stands in. */
export interface FieldWrite {
  readonly node: AssignNode | Expression;
  readonly member: FunctionNode;
}

/** `this.name` in one method, wherever it stands, and the names that `const { name } = this` gives it there. */
export interface FieldPlaces {
  readonly member: FunctionNode;
  readonly places: readonly (MemberNode | NameNode)[];
}

interface ClassIndex {
  readonly members: ReadonlyMap<string, readonly MemberDeclaration[]>;
  /** By name; what may be written to any name is under undefined. Each with its rank in the source. */
  readonly writes: ReadonlyMap<string | undefined, readonly (FieldWrite & { readonly rank: number })[]>;
  readonly places: ReadonlyMap<string, readonly FieldPlaces[]>;
}

const known = new WeakMap<ClassNode, ClassIndex>();

function indexOf(of: ClassNode, module: SourceModule): ClassIndex {
  const before = known.get(of);
  if (before !== undefined) return before;
  const found = {
    members: Map.groupBy(membersIn(of, module), ({ name = '' }) => name),
    writes: writesIn(of, module),
    places: placesIn(of, module),
  };
  known.set(of, found);
  return found;
}

/** The members that a class declares, and those that its prototype is given. */
export const membersIn = (of: ClassNode, { added }: SourceModule): readonly MemberDeclaration[] => [
  ...of.members,
  ...(added.get(of) ?? []),
];

/** The members of a name, static or not, in source order. */
export const membersNamed = (of: ClassNode, module: SourceModule, name: string): readonly MemberDeclaration[] =>
  indexOf(of, module).members.get(name) ?? [];

/** The writes to a field in source order, with those that may be to any. */
export function writesToField(of: ClassNode, module: SourceModule, name: string): readonly FieldWrite[] {
  const { writes } = indexOf(of, module);
  const [named = [], open = []] = [writes.get(name), writes.get(undefined)];
  return open.length === 0 ? named : [...named, ...open].toSorted((one, other) => one.rank - other.rank);
}

/** The names of all fields of an instance; undefined among them where there may be any. */
export const fieldNames = (of: ClassNode, module: SourceModule): readonly (string | undefined)[] => [
  ...membersIn(of, module).flatMap(({ role, isStatic, name }) => (role === 'field' && !isStatic ? [name] : [])),
  ...indexOf(of, module).writes.keys(),
  ...(constructorOf(of)?.params ?? []).flatMap(({ target, isField }) => (isField && target.kind === 'patternName' ? target.name : [])),
];

/** Where methods name a field, method by method. */
export const placesOfField = (of: ClassNode, module: SourceModule, name: string): readonly FieldPlaces[] =>
  indexOf(of, module).places.get(name) ?? [];

/** Whether a class names a member: what it only copies into its instances, or puts there under names that are computed, may have others. */
export const isNamedIn = (of: ClassNode, module: SourceModule, name: string): boolean =>
  indexOf(of, module).writes.has(name) || paramOf(of, name) !== undefined || membersNamed(of, module, name).length > 0;

/** Whether something in the class may give a field of a name a value, besides its declaration. */
export function isFieldOf(of: ClassNode, module: SourceModule, name: string): boolean {
  const { writes } = indexOf(of, module);
  return writes.has(name) || writes.has(undefined) || paramOf(of, name) !== undefined;
}

/** Whether a class says itself what a member is, or puts something there. */
export const isMemberOf = (of: ClassNode, module: SourceModule, name: string, isStatic: boolean): boolean =>
  isFieldOf(of, module, name) || membersNamed(of, module, name).some((member) => member.isStatic === isStatic);

export const constructorOf = (node: ClassNode): FunctionNode | undefined => {
  const found = node.members.find(({ role }) => role === 'constructor')?.value;
  return found?.kind === 'function' ? found : undefined;
};

/** The parameter of the constructor that declares a field: `constructor(private readonly base: string) {}`. */
export const paramOf = (of: ClassNode, name: string): ParamNode | undefined =>
  constructorOf(of)?.params.find((param) => param.isField && param.target.kind === 'patternName' && param.target.name === name);

/** Whether a field may be asked for before its constructor comes to a write, by what other fields are declared with, or by whoever gets `this` until then. */
export function mayBeReadBefore(of: ClassNode, name: string, { node: write, member }: FieldWrite): boolean {
  const declared = of.members.flatMap(({ role, isStatic, value }) => (role === 'field' && !isStatic ? (value ?? []) : []));
  let isRead = false;
  const look = (within: Node, isLater: (node: Node) => boolean): void =>
    walk(within, (node) => {
      if (isRead || isLater(node)) return false;
      isRead = node.kind === 'this' && !isOfOther(node, name);
      return true;
    });
  for (const value of declared) look(value, ({ kind }) => kind === 'function' || kind === 'class');
  look(member, (node) => node.start >= write.start);
  return isRead;
}

/** `this.other`, but for what is called. */
function isOfOther({ parent }: Node, name: string): boolean {
  if (parent?.kind !== 'member' || parent.property === undefined) return false;
  return parent.property !== name && !(parent.parent?.kind === 'call' && parent.parent.callee === parent);
}

function* methodsOf(of: ClassNode, module: SourceModule): Generator<FunctionNode> {
  for (const { value } of membersIn(of, module)) if (value?.kind === 'function') yield value;
}

function writesIn(of: ClassNode, module: SourceModule): ClassIndex['writes'] {
  const found = new Map<string | undefined, (FieldWrite & { readonly rank: number })[]>();
  let rank = 0;
  const add = (name: string | undefined, write: FieldWrite): void => {
    const list = found.get(name);
    if (list === undefined) found.set(name, [{ ...write, rank: rank++ }]);
    else list.push({ ...write, rank: rank++ });
  };
  for (const member of methodsOf(of, module)) {
    walk(member, (node) => {
      // What `this` is in a class within this one is another.
      if (node.kind === 'class') return false;
      if (node.kind === 'assign' && node.target.kind === 'member' && node.target.object.kind === 'this') {
        const { computed, property = computed?.kind === 'string' ? computed.value : undefined } = node.target;
        add(property, { node: property === undefined ? (copiedFrom(node, module) ?? node) : node, member });
      }
      if (node.kind === 'call' && isObjectAssign(node) && node.args[0]?.kind === 'this') add(undefined, { node, member });
      return true;
    });
  }
  return found;
}

function placesIn(of: ClassNode, module: SourceModule): ClassIndex['places'] {
  const found = new Map<string, { member: FunctionNode; places: (MemberNode | NameNode)[] }[]>();
  for (const member of methodsOf(of, module)) {
    const add = (name: string, places: readonly (MemberNode | NameNode)[]): void => {
      const all = found.get(name) ?? [];
      found.set(name, all);
      const last = all.at(-1);
      if (last?.member === member) last.places.push(...places);
      else all.push({ member, places: [...places] });
    };
    walk(member, (node) => {
      if (node.kind === 'member' && node.object.kind === 'this' && node.property !== undefined) add(node.property, [node]);
      if (node.kind === 'variable' && node.init?.kind === 'this')
        for (const { name, binding } of takenBy(node, module)) add(name, binding.references);
    });
  }
  return found;
}

/** `const { name, other: second } = this` */
const takenBy = ({ target }: VariableNode, { scopes }: SourceModule): { readonly name: string; readonly binding: Binding }[] =>
  (target.kind === 'objectPattern' ? target.properties : []).flatMap(({ name, target: taken }) => {
    const binding = taken.kind === 'patternName' ? scopes.declaredBy(taken) : undefined;
    return name === undefined || binding === undefined ? [] : [{ name, binding }];
  });
