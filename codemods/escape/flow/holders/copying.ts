/** Copies of clients of the project's own: what their methods read by `this`, such as the base, may be something else in the copy. */
import type { CallNode, Node } from '../../../syntax/tree.ts';

/** What makes another object of one, with other properties beside or in the place of its own: `Object.create(client, …)`, `new Proxy(client, …)`, `_.extend({}, client, …)`. */
const copying =
  /^(?:create|assign\w*|extend|merge\w*|defaults\w*|clone\w*|mixin|inherits|setPrototypeOf|construct|getOwnPropertyDescriptors?|definePropert(?:y|ies)|Proxy)$/;

/**
 * Whether what stands in a place, a client of the project's own or what leads to it, is copied there.
 * @param isItself of a client itself a spread is followed
 */
export function isCopying(node: Node, isItself = false): boolean {
  const { parent } = node;
  switch (parent?.kind) {
    case 'call':
      // What a proxy is described by is no copy.
      return parent.callee !== node && copying.test(nameOfCallee(parent) ?? '') && !(isProxy(parent) && parent.args[0] !== node);
    case 'spread':
      return !isItself && parent.parent?.kind === 'object';
    case 'class':
      // `class Other extends (isOld ? Client : Base)`
      return parent.superclass === node && node.kind !== 'name' && node.kind !== 'member';
    case 'property':
      return parent.name === '__proto__' && parent.value === node;
    case 'member':
      return parent.object === node && parent.property === 'prototype';
    default:
      return false;
  }
}

const nameOfCallee = ({ callee }: CallNode): string | undefined =>
  callee.kind === 'member' ? callee.property : callee.kind === 'name' ? callee.name : undefined;

const isProxy = (call: CallNode): boolean => nameOfCallee(call) === 'Proxy';
