/** Every place of a file where something is put into a property, in whatever way the language has for it. */
import { requiredBy } from '../../syntax/required.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, Expression, MemberNode, NameNode, Node } from '../../syntax/tree.ts';
import type { SourceModule } from '../module.ts';

export interface WrittenPlace {
  /** The whole assignment or call. */
  readonly node: Node;
  readonly module: SourceModule;
  /** What it is put into. */
  readonly object: Expression;
  /** The property: a name, the expression of one, or undefined where it may be any. */
  readonly property: string | Expression | undefined;
  /** undefined where it cannot be read from the place alone. */
  readonly value: Expression | undefined;
  /** How the value gets there: in place of another, behind it, one by one out of the value's own properties, or as an item of the same list that stood elsewhere. */
  readonly how: 'put' | 'appended' | 'copied' | 'reordered';
}

const known = new WeakMap<SourceModule, readonly WrittenPlace[]>();

/** @returns the places in source order */
export function writtenPlaces(module: SourceModule): readonly WrittenPlace[] {
  const before = known.get(module);
  if (before !== undefined) return before;
  const found: WrittenPlace[] = [];
  walk(module.tree.program, (node) => {
    if (node.kind === 'assign') {
      const { target, value, operator } = node;
      if (target.kind === 'member') found.push(place(target, node, module, value, operator === '+=' ? 'appended' : 'put'));
      else for (const member of membersIn(target)) found.push(place(member, node, module, undefined, 'put'));
    } else if (node.kind === 'call') found.push(...placesOfCall(node, module));
  });
  known.set(module, found);
  return found;
}

/** `this[method] = this[method].bind(this)`: the same as before, for whom it is called on. */
export function isBoundInPlace(node: Node, { text }: Pick<SourceModule, 'text'>): boolean {
  if (node.kind !== 'assign' || node.operator !== '=') return false;
  const { target, value } = node;
  if (value.kind !== 'call' || value.callee.kind !== 'member' || value.callee.property !== 'bind') return false;
  const { object: bound } = value.callee;
  const [self, ...more] = value.args;
  if (bound.kind !== 'member' || self === undefined || more.length > 0) return false;
  const written = (each: Node): string => text.slice(each.start, each.end);
  return written(bound) === written(target) && written(self) === written(bound.object);
}

const place = (
  { object, property, computed }: MemberNode,
  node: Node,
  module: SourceModule,
  value: Expression | undefined,
  how: WrittenPlace['how'],
): WrittenPlace => ({ node, module, object, property: property ?? computed, value, how });

/** The properties that a pattern assigns to: `[config.base] = …`, `({ base: config.base } = …)`. */
function membersIn(pattern: Node): MemberNode[] {
  const found: MemberNode[] = [];
  walk(pattern, (node) => {
    if (node.kind === 'member') found.push(node);
    // What names a key, or stands in for what is missing, is assigned nothing.
    return node.kind !== 'member' && node.kind !== 'call' && node.kind !== 'object' && node.kind !== 'array';
  });
  return found;
}

/** Functions that copy the properties of one object into another, by the names that the libraries have for them. */
const copying = /^(?:assign(?:In|With)?|extend|merge(?:With|Deep)?|deepmerge|defaults(?:Deep)?)$/i;
const setting = /^(?:set|defineProperty)$/;
/** Methods that put other items where some were. */
const reordering = new Set(['unshift', 'shift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin', 'pop']);

function placesOfCall(node: CallNode, module: SourceModule): WrittenPlace[] {
  const { callee } = node;
  const [object, ...given] = node.args;
  const name = callee.kind === 'member' ? callee.property : callee.kind === 'name' ? takenAs(callee, module) : undefined;
  if (name === undefined) return [];
  if (callee.kind === 'member' && reordering.has(name))
    return [{ node, module, object: callee.object, property: undefined, value: undefined, how: 'reordered' }];
  if (object === undefined || object.kind === 'spread') return [];
  // What a property's description gives is not followed.
  if (name === 'defineProperties') return [{ node, module, object, property: undefined, value: undefined, how: 'put' }];
  if (copying.test(name))
    return given.map((each) => {
      const value = each.kind === 'spread' ? undefined : each;
      return { node, module, object, property: undefined, value, how: 'copied' } as const;
    });
  const [property, value] = given;
  if (!setting.test(name) || property === undefined || property.kind === 'spread' || value === undefined) return [];
  const isPlain = name === 'set' && value.kind !== 'spread';
  return [{ node, module, object, property, value: isPlain ? value : undefined, how: 'put' }];
}

/** What a function is called where it comes from, whatever the file calls it: `import mix from 'lodash/merge.js'`, `const { merge: mix } = require('lodash')`. */
function takenAs(callee: NameNode, module: SourceModule): string {
  const { declaration, owner } = module.scopes.bindingOf(callee) ?? {};
  if (owner?.kind === 'import') {
    const { imported = callee.name } = owner.specifiers.find(({ local }) => local === declaration) ?? {};
    return imported === 'default' || imported === '*' ? lastWord(owner.source.value) : imported;
  }
  if (owner?.kind !== 'variable' || owner.init === undefined) return callee.name;
  if (declaration?.parent?.kind === 'patternProperty') return declaration.parent.name ?? callee.name;
  const { init } = owner;
  if (init.kind === 'member') return init.property ?? callee.name;
  const source = requiredBy(init);
  return source === undefined ? callee.name : lastWord(source.value);
}

/** `merge` of `lodash/merge.js` and of `lodash.merge`. */
const lastWord = (specifier: string): string => /(\w+)(?:\.[cm]?js)?$/.exec(specifier)?.[1] ?? specifier;
