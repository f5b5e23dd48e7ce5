/** Collections of texts that a program asks whether, or under what, they have another: `limits[path]`, `['/v1/contacts'].includes(path)`, `new Set([…]).has(path)`. */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { Binding } from '../../../syntax/scopes.ts';
import type { CallNode, Node, PropertyNode, StringNode } from '../../../syntax/tree.ts';
import { isExported, readersIn } from '../readers.ts';

/** A text in such a collection. */
export type Member = StringNode | PropertyNode;

export const textOfMember = (member: Member): string => (member.kind === 'string' ? member.value : (member.name ?? ''));

export interface Membership {
  /** Where they stand. */
  readonly module: SourceModule;
  readonly members: readonly Member[];
  /** All that is asked for in it. */
  readonly asked: readonly Node[];
}

/** @returns what is known of the collection in which something is asked for; undefined where it is none, or something else is done with it, too */
export function membershipAsking(ev: Evaluation, asked: Node, module: SourceModule): Membership | undefined {
  const { parent } = asked;
  const isKey = parent?.kind === 'member' && parent.computed === asked;
  const held = isKey
    ? parent.object
    : parent?.kind === 'binary' && parent.operator === 'in' && parent.left === asked
      ? parent.right
      : askedIn(asked);
  if (held === undefined) return undefined;
  return held.kind === 'name' ? membershipNamed(ev, held, module) : membershipOf(held, module);
}

const asking = /^(?:includes|indexOf|has|get)$/;

/** What has the method that something is asked by. */
function askedIn(asked: Node): Node | undefined {
  const { parent: call } = asked;
  const callee = call?.kind === 'call' && call.args[0] === asked && call.callee.kind === 'member' ? call.callee : undefined;
  return callee !== undefined && asking.test(callee.property ?? '') ? callee.object : undefined;
}

/** What is known of the collection that a name has, where nothing else is done with that than to ask for something in it. */
export function membershipNamed(ev: Evaluation, held: Node, module: SourceModule): Membership | undefined {
  const binding = held.kind === 'name' ? module.scopes.bindingOf(held) : undefined;
  const declared = binding && declaredBy(ev, binding, module);
  const { owner } = declared?.binding ?? {};
  return owner?.kind === 'variable' && owner.init !== undefined ? membershipOf(owner.init, declared?.module ?? module, ev) : undefined;
}

interface Declared {
  readonly binding: Binding;
  readonly module: SourceModule;
}

/** What a name is declared as, in the file that it is imported from. */
function declaredBy({ world }: Evaluation, binding: Binding, module: SourceModule): Declared | undefined {
  const { owner, declaration } = binding;
  if (owner.kind !== 'import') return { binding, module };
  const from = world.resolve(module, owner.source.value);
  const exported = from?.exports.get(owner.specifiers.find(({ local }) => local === declaration)?.imported ?? '');
  const declared = exported !== undefined && 'declared' in exported ? from?.scopes.declaredBy(exported.declared) : undefined;
  return declared === undefined || from === undefined ? undefined : { binding: declared, module: from };
}

/** Where the text of one stands. */
export const rangeOfMember = (member: Member): { readonly start: number; readonly end: number } =>
  member.kind === 'string' ? member : { start: member.keyStart, end: member.keyEnd };

/**
 * The same of a collection, where it is written.
 * @param ev to look at what other files do with it; without it, one that they can take is not known
 */
export function membershipOf(made: Node, module: SourceModule, ev?: Evaluation): Membership | undefined {
  const members = membersOf(made);
  const asked = members === undefined || members.length === 0 ? undefined : askedOf(made, module, ev);
  return members === undefined || asked === undefined ? undefined : { module, members, asked };
}

/** undefined where not all of them are written out. */
function membersOf(made: Node): readonly Member[] | undefined {
  if (made.kind === 'object')
    return allOf(
      made.properties.map((each) =>
        each.kind === 'property' && each.name !== undefined && each.computed === undefined ? each : undefined,
      ),
    );
  if (made.kind === 'array') return allOf(made.elements.map((each) => (each?.kind === 'string' ? each : undefined)));
  if (made.kind !== 'call' || !made.isNew || made.callee.kind !== 'name') return undefined;
  const [listed] = made.args;
  if (listed?.kind !== 'array') return undefined;
  if (made.callee.name === 'Set') return membersOf(listed);
  return made.callee.name === 'Map' ? allOf(listed.elements.map(keyOf)) : undefined;
}

const keyOf = (pair: Node | undefined): StringNode | undefined => {
  const [key] = pair?.kind === 'array' ? pair.elements : [];
  return key?.kind === 'string' ? key : undefined;
};

const allOf = <T>(found: readonly (T | undefined)[]): readonly T[] | undefined =>
  found.every((each) => each !== undefined) ? found.filter((each) => each !== undefined) : undefined;

/** What is asked for in a collection, there or by its name; undefined where anything else becomes of it. */
function askedOf(made: Node, module: SourceModule, ev: Evaluation | undefined): readonly Node[] | undefined {
  const { parent } = made;
  if (parent?.kind !== 'variable' || parent.init !== made) return allOf([askedAt(made)]);
  const binding = parent.target.kind === 'patternName' && parent.declares === 'const' ? module.scopes.declaredBy(parent.target) : undefined;
  if (binding === undefined) return undefined;
  if (!isExported(binding, module)) return allOf(binding.references.map(askedAt));
  return (
    ev &&
    allOf(
      readersIn(ev)
        .of(binding, module)
        .map(({ node }) => askedAt(node)),
    )
  );
}

function askedAt(held: Node): Node | undefined {
  const { parent } = held;
  if (parent?.kind === 'binary') return parent.operator === 'in' && parent.right === held ? parent.left : undefined;
  if (parent?.kind !== 'member' || parent.object !== held) return undefined;
  const isWritten = parent.parent?.kind === 'assign' && parent.parent.target === parent;
  if (parent.computed !== undefined) return isWritten || parent.computed.kind === 'string' ? undefined : parent.computed;
  const call: CallNode | undefined = parent.parent?.kind === 'call' && parent.parent.callee === parent ? parent.parent : undefined;
  const [asked] = call?.args ?? [];
  return asking.test(parent.property ?? '') && asked !== undefined && asked.kind !== 'spread' ? asked : undefined;
}
