/** What a place has of something that is followed, by the syntax, and of whom it has it. */
import type { Place } from '../../evaluate/budget.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { type ExternalValue, optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, MemberNode, Node } from '../../syntax/tree.ts';
import { builtIn, rootOf } from './functions/language-methods.ts';
import type { Use } from './uses.ts';

/** What a place has: the client or function itself, the class of it, something that holds one of these, or any of this. */
export type Has = 'itself' | 'class' | 'within' | 'either';

/** A place that something goes to. */
export interface Reached extends Place {
  readonly has: Has;
  /** Whether a package that was not read had it on the way. */
  readonly isGiven: boolean;
  /** Of an object: the name under which it has that, where it is had under one alone. */
  readonly under?: string | undefined;
}

export interface CallOutOfSight {
  readonly call: CallNode;
  readonly module: SourceModule;
  readonly isGiven: boolean;
  /** Whether what it is called on may be a copy: of what is read by `this`, something else may stand in that. */
  readonly isOfCopy: boolean;
  /** … or one that has its own properties alone, without what a class declares: `{ ...client }`. */
  readonly isOfSpread: boolean;
}

export interface Noted extends Omit<CallOutOfSight, 'isOfCopy' | 'isOfSpread'> {
  /** What it calls of something. */
  readonly name: string | undefined;
}

/** A function or class that is exported where it is declared goes by its name. */
export const declared = (node: Node): Use | undefined =>
  (node.kind === 'function' || node.kind === 'class') && node.name !== undefined && node.parent?.kind === 'exportDeclaration'
    ? { kind: 'named', names: [node.name] }
    : undefined;

export const heldIn = (has: Has): Has => (has === 'either' ? has : 'within');
export const takenOf = (has: Has): Has => (has === 'within' ? 'either' : has);

const isHolder = ({ kind }: Node): boolean => kind === 'object' || kind === 'array' || kind === 'function';
export const heldBy = (holder: Node, has: Has): Has => (isHolder(holder) ? heldIn(has) : has);

export const isEach = (node: Node | undefined): boolean => node?.kind === 'variable' && node.each !== undefined;

export const isOpen = ({ type }: Value): boolean => type === 'unknown' || type === 'param' || type === 'method';

export const isOfPackage = (value: Value): value is ExternalValue => value.type === 'external' && value.source !== '';

/** Whether it is what everybody has, of what no package made: `new Set([client])`, `clients.push(client)`, `Promise.resolve(client)`. */
export function isOfLanguage(ev: Evaluation, { callee }: CallNode, module: SourceModule): boolean {
  if (callee.kind !== 'member') return callee.kind === 'name';
  return builtIn.has(callee.property ?? '') && !isOfPackages(ev, callee.object, module);
}

/** Whether it begins with what a package gives, or with what calls made of that: each is asked once, as it may be made of itself (`rows = rows.slice(1)`). */
function isOfPackages(ev: Evaluation, of: Node, module: SourceModule): boolean {
  const seen = new Set<Node>();
  const waiting: Place[] = [{ node: rootOf(of), module }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next.node)) continue;
    seen.add(next.node);
    for (const value of optionsOf(ev.evaluate(next.node, { module: next.module, frame: undefined }))) {
      const made = value.type === 'unknown' && value.node?.kind === 'call' ? value.node : undefined;
      if (made === undefined || value.type !== 'unknown' || value.module === undefined || !isScript(value.module)) {
        if (isOfPackage(value)) return true;
      } else waiting.push({ node: rootOf(made.callee), module: value.module });
    }
  }
  return false;
}

/** What is searched for. */
export interface Searched {
  readonly isMethod: boolean;
  readonly names: readonly (string | undefined)[];
  /** What the method stands in. */
  readonly object?: Node | undefined;
  /** Whether it is taken out by names under which it was put somewhere, where all of these are known. */
  readonly isTakenByName?: boolean;
}

/** Whether a value is a function or class itself. */
export const isMadeBy =
  (node: Node) =>
  (value: Value): boolean =>
    (value.type === 'function' || value.type === 'class') && value.node === node;

/** Methods by which clients of libraries ask, which may be called themselves, too. */
export const asking = [...'get post put patch delete head options request fetch'.split(' '), '', undefined];

/** `list[0]`: no method is called so. */
export const isItem = ({ computed }: MemberNode): boolean => computed?.kind === 'literal' && typeof computed.value === 'number';
