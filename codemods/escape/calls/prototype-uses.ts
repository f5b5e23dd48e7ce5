/**
 * Methods that a class is given from outside in a way that is not read: by another file, `Object.defineProperty`, a package or under another name. They have
 * all that its instances have, and may ask anybody with that.
 */
import { classAround } from '../../evaluate/calls/callees.ts';
import { membersNamed } from '../../evaluate/classes/class-index.ts';
import { isObjectAssign } from '../../evaluate/writes/copies.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isForeign } from '../../evaluate/writes/loose-writes.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { heirsOf, superclassOf } from '../../evaluate/classes/subclasses.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { type ClassValue, optionsOf, type Value } from '../../evaluate/values/values.ts';
import { waysTo } from '../../requests/call-paths.ts';
import { push } from '../../requests/mutations.ts';
import type { Callers } from '../../requests/recursion.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import type { Expression, MemberNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Problem } from '../problems.ts';

interface Given {
  readonly node: Node;
  readonly module: SourceModule;
  readonly name: string;
  readonly classes: readonly ClassValue[];
}

/**
 * @param open ours that nothing speaks against
 * @returns for each such place what it forbids
 */
export function prototypeUses(ev: Evaluation, callers: Callers, open: readonly RequestSite[]): Problem[][] {
  const byClass = new Map<Node, RequestSite[]>();
  for (const site of open) if (!site.request.isMock) for (const of of classesOf(site)) push(byClass, of, site);
  if (byClass.size === 0) return [];
  const valuesOf: ValuesOf = (node, module) => [...waysTo(ev, callers, node, module)].flatMap(({ value }) => optionsOf(value));
  const program = [...ev.world.modules.values()].filter((module) => !isTest(module));
  const given = program.flatMap((module) => [...givenToPrototypes(ev, module, valuesOf), ...givenToInstances(module, valuesOf)]);
  return given.flatMap(({ node, module, name, classes }) => {
    const sites = new Set(classes.flatMap((of) => relatives(ev, of)).flatMap((of) => byClass.get(of) ?? []));
    const held = [...sites].map((site): Problem => ({ code: 'escapes', node, module, detail: { name, way: 'used' }, site }));
    return held.length === 0 ? [] : [held];
  });
}

type ValuesOf = (node: Node, module: SourceModule) => readonly Value[];

function givenToPrototypes(ev: Evaluation, module: SourceModule, valuesOf: ValuesOf): Given[] {
  if (!/\bprototype\b/.test(module.text)) return [];
  const named = nodesOfKind(module.tree.program, 'member').filter((node) => node.property === 'prototype' && !isHarmless(node));
  return named.map((node): Given => {
    const classes = valuesOf(node.object, module).filter(isClass);
    const name = node.object.kind === 'name' ? `${node.object.name}.prototype` : 'prototype';
    return { node, module, name, classes: classes.filter((of) => !isRead(ev, node, of, module)) };
  });
}

/** `client.orders = function () { … this.headers() … }` */
const givenToInstances = (module: SourceModule, valuesOf: ValuesOf): Given[] =>
  module.writes.flatMap(({ target, value }) => {
    if (target.kind !== 'member' || target.object.kind === 'this' || value.kind !== 'function' || value.isArrow || !asksThis(value))
      return [];
    const classes = valuesOf(target.object, module).flatMap((each) => (each.type === 'instance' ? each.of : []));
    return { node: target, module, name: target.property ?? 'this', classes };
  });

const isClass = (value: Value): value is ClassValue => value.type === 'class';

/** The classes in which a request is made, gets its key or has its base. */
function classesOf({ request: { call, url = [] }, keys }: RequestSite): Set<Node> {
  const places = [
    call,
    ...keys.map(({ node }) => node),
    ...url.slice(0, 1).flatMap(({ provenance }) => nodesOf(provenance).map(({ node }) => node)),
  ];
  return new Set(places.flatMap((node) => classAround(node) ?? []));
}

/** A class, those that inherit from it, and those that it inherits from: all may have what an instance of it has. */
function relatives(ev: Evaluation, of: ClassValue): Node[] {
  const line = new Set<Node>();
  for (let at: Value | undefined = of; at?.type === 'class' && !line.has(at.node); at = superclassOf(ev, at)) line.add(at.node);
  return [...line, ...heirsOf(ev, of.node).map(({ node }) => node)];
}

const asking = /^(?:create|keys|getOwnPropertyNames|getOwnPropertyDescriptors?|getOwnPropertySymbols|getPrototypeOf|ownKeys|has|hasOwn)$/;

/** What only looks at a prototype, or takes a method of it. */
function isHarmless(node: MemberNode): boolean {
  const { parent } = node;
  switch (parent?.kind) {
    case 'member':
      return parent.object === node && !(parent.parent?.kind === 'assign' && parent.parent.target === parent);
    case 'call': {
      const { callee, args } = parent;
      if (callee.kind !== 'member' || callee.object.kind !== 'name') return false;
      // `Object.create(Parent.prototype)`
      return /^(?:Object|Reflect)$/.test(callee.object.name) && asking.test(callee.property ?? '') && args[0] === node;
    }
    case 'binary':
      return true;
    case 'variable':
      return parent.target.kind === 'objectPattern';
    default:
      return false;
  }
}

/** Whether what is put into a prototype is read as members of its class, or has nothing of an instance and comes in the place of nothing. */
function isRead(ev: Evaluation, node: MemberNode, of: ClassValue, module: SourceModule): boolean {
  const { parent } = node;
  const isOwn = of.module === module;
  const given = new Set<Node | undefined>(isOwn ? [...(module.added.get(of.node) ?? [])].map(({ value }) => value) : []);
  if (parent?.kind === 'assign')
    return isOwn && (parent.value.kind === 'object' ? areRead(ev, [parent.value], module, given) : isMade(parent.value));
  if (parent?.kind === 'call')
    return isOwn && isObjectAssign(parent) && parent.args[0] === node && areRead(ev, parent.args.slice(1), module, given);
  const put = parent?.kind === 'member' && parent.parent?.kind === 'assign' ? parent.parent : undefined;
  if (parent?.kind !== 'member' || put === undefined) return false;
  const { property } = parent;
  if (property === 'constructor') return true;
  if (given.has(put.value) && isReadValue(put.value)) return true;
  return (
    property !== undefined && isWithoutThis(ev, put.value, module) && (isOwn || membersNamed(of.node, of.module, property).length === 0)
  );
}

/** `Object.create(Parent.prototype)`, `new Parent()` */
const isMade = (value: Expression): boolean => value.kind === 'call';

/** Objects that are written there, and what a package has: `Object.assign(Client.prototype, Emitter.prototype, { … })`. */
const areRead = (ev: Evaluation, sources: readonly Node[], module: SourceModule, given: ReadonlySet<Node | undefined>): boolean =>
  sources.every((source) =>
    source.kind === 'object'
      ? source.properties.every(
          (each) => each.kind === 'property' && (each.name === 'constructor' || (given.has(each.value) && isReadValue(each.value))),
        )
      : source.kind === 'member' && source.property === 'prototype' && isForeign(source, module, ev.world),
  );

/** A function or text that is written there, or another method of a prototype: `F.prototype.remove = F.prototype.delete`. */
function isReadValue(value: Node): boolean {
  if (value.kind === 'assign') return isReadValue(value.value);
  const isMethod = value.kind === 'member' && value.object.kind === 'member' && value.object.property === 'prototype';
  return isMethod || value.kind === 'function' || value.kind === 'string' || value.kind === 'template' || value.kind === 'literal';
}

/** Whether all that may be put there are functions that do not ask what they are called on. */
const isWithoutThis = (ev: Evaluation, value: Expression, module: SourceModule): boolean =>
  optionsOf(ev.evaluate(value, { module, frame: undefined })).every((option) => {
    return option.type === 'function' ? !asksThis(option.node) : option.type === 'text';
  });

function asksThis(fn: Node): boolean {
  let isFound = false;
  walk(fn, (each) => {
    isFound ||= each.kind === 'this' || (each.kind === 'name' && each.name === 'arguments');
    return !isFound;
  });
  return isFound;
}
