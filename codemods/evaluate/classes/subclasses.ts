/** Which classes inherit from which: found once for a program. */
import type { ClassNode, FunctionNode } from '../../syntax/tree.ts';
import { constructorOf, isFieldOf, membersNamed } from './class-index.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { type Keys, ResolvedIndex } from '../values/resolved-index.ts';
import type { ClassValue, Value } from '../values/values.ts';

/** @returns what a class inherits from; of classes that inherit from each other in a circle, which no program can run, nothing */
export function superclassOf(ev: Evaluation, of: ClassValue): Value | undefined {
  const { superclass } = of.node;
  return superclass === undefined || isCircular(ev, of) ? undefined : ev.evaluate(superclass, { module: of.module, frame: of.frame });
}

/** The constructor that `new` runs: the nearest one up the chain of classes; the class itself where none has one. */
export function constructorRunBy(ev: Evaluation, of: ClassValue): ClassNode | FunctionNode {
  const own = constructorOf(of.node);
  if (own !== undefined || of.node.superclass === undefined) return own ?? of.node;
  const superclass = superclassOf(ev, of);
  return superclass?.type === 'class' ? constructorRunBy(ev, superclass) : of.node;
}

const circular = new WeakMap<ClassNode, boolean>();

/** Whether a class comes up among those that it inherits from, by their names alone: a mixin may well be given what it has made before. */
function isCircular(ev: Evaluation, of: ClassValue): boolean {
  const before = circular.get(of.node);
  if (before !== undefined) return before;
  const line = new Set<ClassNode>();
  let at: Value | undefined = of;
  while (at?.type === 'class' && !line.has(at.node)) {
    line.add(at.node);
    const { superclass }: ClassNode = at.node;
    at = superclass === undefined ? undefined : ev.evaluate(superclass, { module: at.module, frame: undefined });
  }
  const isCircle = at?.type === 'class';
  for (const node of line) circular.set(node, isCircle);
  return isCircle;
}

interface Heir {
  readonly node: ClassNode;
  readonly module: SourceModule;
}

/** A mixin inherits from whatever it is given. */
type Parent = ClassNode | 'any';

const known = new WeakMap<Evaluation, ResolvedIndex<Heir, Parent>>();

/** @returns the subclasses that have a member of a name themselves, or may be given one by the names of a table */
export const subclassesWith = (ev: Evaluation, of: ClassNode, name: string): readonly ClassValue[] =>
  heirsOf(ev, of).filter(
    ({ node, module }) => membersNamed(node, module, name).length > 0 || isFieldOf(node, module, name) || isGivenByTable(node, module),
  );

const isGivenByTable = (of: ClassNode, { added }: SourceModule): boolean =>
  [...(added.get(of) ?? [])].some(({ computed }) => computed !== undefined);

/** All classes that inherit from a class. */
export const heirsOf = (ev: Evaluation, of: ClassNode): readonly ClassValue[] =>
  below(ev, of).map((heir) => ({ type: 'class', ...heir, frame: undefined }));

/** Whether other classes inherit from a class. */
export const isInherited = (ev: Evaluation, of: ClassNode): boolean => below(ev, of).length > 0;

function below(ev: Evaluation, of: ClassNode): Heir[] {
  const heirs = known.get(ev) ?? new ResolvedIndex(heirsIn(ev), (heir) => parentsOf(ev, heir));
  known.set(ev, heirs);
  return [...heirs.under(of), ...heirs.under('any')].filter(({ node }) => node !== of);
}

const heirsIn = ({ world }: Evaluation): Heir[] =>
  [...world.modules.values()].flatMap((module) =>
    module.classes.flatMap((node) => (node.superclass === undefined ? [] : [{ node, module }])),
  );

function parentsOf(ev: Evaluation, heir: Heir): Keys<Parent> {
  const of: ClassValue = { type: 'class', ...heir, frame: undefined };
  const superclass = superclassOf(ev, of);
  const keys: Parent[] = superclass?.type === 'param' ? ['any'] : superclass?.type === 'class' ? [superclass.node] : [];
  return { keys, isFinal: heir.node.superclass === undefined || ev.isResolved(heir.node.superclass, { ...heir, frame: undefined }) };
}
