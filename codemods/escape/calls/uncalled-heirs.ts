/** Methods that a class hands down: what is asked of other heirs alone, nobody asks of this one: `campaigns.list()`, where only `contacts.list()` is called. */
import { classAround } from '../../evaluate/calls/callees.ts';
import { placesOfField } from '../../evaluate/classes/class-index.ts';
import { heirsOf, superclassOf } from '../../evaluate/classes/subclasses.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript } from '../../evaluate/module.ts';
import type { ClassValue, Value } from '../../evaluate/values/values.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import type { ClassNode, FunctionNode, MemberNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { readersIn } from '../flow/readers.ts';
import { isAnything, isForOthers, isNamed } from './named.ts';

/** @returns whether nobody asks the heir for a request whose path that one gives by a method that it inherits */
export function unusedOfHeir(ev: Evaluation, found: CallGraph, readers: ReturnType<typeof readersIn>): (site: RequestSite) => boolean {
  const known = new Map<FunctionNode, Map<ClassNode, boolean>>();
  return ({ request: { url = [], call, module, callers } }) => {
    const giving = new Set(
      url.flatMap((part) => ('text' in part && part.source !== undefined ? (classAround(part.source.node) ?? []) : [])),
    );
    return [{ node: call, module }, ...callers].some(({ node, module: where }) => {
      const fn = methodAround(node);
      const of = fn && classAround(fn);
      if (fn === undefined || of === undefined || !isScript(where)) return false;
      const heir = heirsOf(ev, of).find((each) => giving.has(each.node));
      if (heir === undefined || giving.has(of) || readers.ofModule(where).length === 0) return false;
      const ofMethod = known.get(fn) ?? new Map<ClassNode, boolean>();
      known.set(fn, ofMethod);
      const result = ofMethod.get(heir.node) ?? isUnused(ev, found, fn, heir);
      ofMethod.set(heir.node, result);
      return result;
    });
  };
}

function isUnused(ev: Evaluation, found: CallGraph, fn: FunctionNode, heir: ClassValue): boolean {
  const line = [...lineOf(ev, heir), ...heirsOf(ev, heir.node)];
  const classes = new Set(line.map(({ node }) => node));
  const isOfHeir = ({ self }: Extract<Value, { readonly type: 'function' }>): boolean =>
    self?.type !== 'instance' || classes.has(self.of.node);
  // A list that grows while it is walked: what asks for it by `this` asks for it of the heir, too.
  const methods = new Set([fn]);
  for (const method of methods) {
    const name = nameOf(method);
    const of = line.find(({ node }) => node === classAround(method));
    if (name === undefined || of === undefined || found.escapingCallbacks.has(method) || isForOthers(ev, method, of.module)) return false;
    const isIt = (value: Value): boolean => (value.type === 'function' ? value.node === method && isOfHeir(value) : isAnything(value));
    if (isNamed(ev, name, method, { isIt, isCounted: (node) => !isAskedOfThis(node, classes) })) return false;
    for (const { node, module } of line) for (const { member } of placesOfField(node, module, name)) methods.add(member);
  }
  return true;
}

/** What a field is made with runs by itself. */
const isAskedOfThis = (node: MemberNode, classes: ReadonlySet<ClassNode>): boolean => {
  const of = node.object.kind === 'this' && methodAround(node) !== undefined ? classAround(node) : undefined;
  return of !== undefined && classes.has(of);
};

/** A class and those that it inherits from. */
function lineOf(ev: Evaluation, of: ClassValue): ClassValue[] {
  const superclass = superclassOf(ev, of);
  return superclass?.type === 'class' ? [of, ...lineOf(ev, superclass)] : [of];
}

/** What a method is called by; a constructor runs by itself. */
const nameOf = ({ parent }: FunctionNode): string | undefined =>
  parent?.kind === 'classMember' && (parent.role === 'method' || parent.role === 'field') ? parent.name : undefined;

function methodAround(node: Node): FunctionNode | undefined {
  for (let at: Node | undefined = node; at !== undefined; at = at.parent)
    if (at.kind === 'function' && at.parent?.kind === 'classMember') return at;
  return undefined;
}
