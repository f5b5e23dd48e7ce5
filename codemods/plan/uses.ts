/** What becomes of a value at one place that names it: used there, handed on under another name, or neither. */
import { v1Auth } from '../../src/contract/auth.ts';
import type { CallNode, ClassNode, FunctionNode, MemberNode, Node } from '../syntax/tree.ts';
import { namesIn } from '../syntax/scopes.ts';

export type Use =
  /** Something is done with it that the rules do not follow. */
  | { readonly kind: 'use' }
  /** It is shown, asked for or thrown away. */
  | { readonly kind: 'harmless' }
  /** It goes on under these names. */
  | { readonly kind: 'named'; readonly names: readonly string[] };

const use: Use = { kind: 'use' };
const harmless: Use = { kind: 'harmless' };

/** @param covered nodes that belong to a request, which is told as such */
export function useOf(reference: Node, covered: ReadonlySet<Node>): Use {
  let at: Node = reference;
  for (let around = at.parent; around !== undefined; at = around, around = around.parent) {
    if (covered.has(around)) return harmless;
    const found = step(around, at);
    if (found !== 'on') return found;
  }
  return harmless;
}

/** `on` where the value is part of what stands around it. */
function step(around: Node, at: Node): Use | 'on' {
  switch (around.kind) {
    case 'concat':
    case 'template':
    case 'conditional':
    case 'await':
    case 'object':
    case 'array':
    case 'spread':
      return 'on';
    case 'property':
      // A name that is computed from it stands in an object that goes elsewhere.
      return around.computed === at ? use : 'on';
    case 'logical':
      // `base && …` asks whether it is there.
      return around.operator === '&&' && around.left === at ? harmless : 'on';
    case 'member':
      return memberUse(around, at);
    case 'assign':
      return assignUse(around, at);
    case 'variable':
      return takesHeader(around.target) ? use : { kind: 'named', names: namesIn(around.target).map(({ name }) => name) };
    case 'param':
      return { kind: 'named', names: namesIn(around.target).map(({ name }) => name) };
    case 'classMember':
      return { kind: 'named', names: around.name === undefined ? [] : [around.name] };
    case 'return':
      return { kind: 'named', names: functionNames(around) };
    case 'function':
      return around.body === at ? { kind: 'named', names: namesOfFunction(around) } : harmless;
    case 'call':
      return callUse(around, at);
    case 'other':
      // A statement of its own, or a condition, does nothing with it; a case compares it.
      return around.what.startsWith('Jsx') || around.what === 'CaseClause' ? use : harmless;
    case 'tagged':
    case 'binary':
      return use;
    default:
      return harmless;
  }
}

/** `const { 'x-api-key': key, ...others } = headers` names the header, so that others go on without it. */
const takesHeader = (pattern: Node): boolean =>
  pattern.kind === 'objectPattern' &&
  pattern.properties.some(({ name, computed }) => computed !== undefined || name?.toLowerCase() === v1Auth.field);

/** A property of it is looked at by itself; writing one is part of it; a property that it names is not. */
function memberUse(around: MemberNode, at: Node): Use {
  if (around.object !== at) return use;
  if (around.parent?.kind === 'assign' && around.parent.target === around) return harmless;
  return around.computed !== undefined || isUnfollowed(around) || readsHeader(around) ? use : harmless;
}

/** `headers.get('x-api-key')`: what is read so would be missing. */
function readsHeader({ parent, property }: MemberNode): boolean {
  const [name] = parent?.kind === 'call' ? parent.args : [];
  return property === 'get' && name?.kind === 'string' && name.value.toLowerCase() === v1Auth.field;
}

function assignUse(around: Extract<Node, { kind: 'assign' }>, at: Node): Use {
  const { target } = around;
  if (target === at) return harmless;
  if (target.kind === 'name') return { kind: 'named', names: [target.name] };
  if (target.kind !== 'member') return use;
  return isOwnField(target) ? { kind: 'named', names: target.property === undefined ? [] : [target.property] } : use;
}

function callUse(around: CallNode, at: Node): Use | 'on' {
  if (isListing(around)) return 'on';
  return around.callee === at || isShowing(around) || isKeeping(around) || isKeyOfMap(around, at) ? harmless : use;
}

const isOwnField = ({ object }: MemberNode): boolean =>
  object.kind === 'this' || (object.kind === 'name' && ['module', 'exports'].includes(object.name));

/** Methods of texts and lists whose results nobody follows. */
const unfollowed = new Set(
  'startsWith includes endsWith indexOf match test split replace replaceAll slice substring delete has map forEach filter flatMap reduce some every find join sort'.split(
    ' ',
  ),
);
const isUnfollowed = ({ parent, property }: MemberNode): boolean => parent?.kind === 'call' && unfollowed.has(property ?? '');

/** Calls that only show what they are given, and errors that say it. */
const showing = /^(?:console|log|logger|debug|winston|pino|bunyan|expect|assert|print)$|Error$/i;
function isShowing({ callee }: CallNode): boolean {
  let at: Node = callee;
  while (at.kind === 'member' || at.kind === 'call') at = at.kind === 'member' ? at.object : at.callee;
  return at.kind === 'name' && showing.test(at.name);
}

/** `Object.keys(headers)`: what is done with the list decides. */
const isListing = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' &&
  callee.object.kind === 'name' &&
  callee.object.name === 'Object' &&
  /^(?:keys|values|entries)$/.test(callee.property ?? '');

const isKeeping = ({ callee }: CallNode): boolean => callee.kind === 'member' && /^(?:freeze|seal|assign)$/.test(callee.property ?? '');

/** `cache.get(url)`: whatever the key of a cache is, it is the same at all its places. */
function isKeyOfMap({ callee, args }: CallNode, at: Node): boolean {
  return (
    args[0] === at &&
    callee.kind === 'member' &&
    /^(?:get|set|has|add|delete)$/.test(callee.property ?? '') &&
    /cache|memo|inflight|pending|seen/i.test(lastName(callee.object))
  );
}

const lastName = (node: Node): string => (node.kind === 'name' ? node.name : node.kind === 'member' ? (node.property ?? '') : '');

function functionNames(node: Node): string[] {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at === undefined ? [] : namesOfFunction(at);
}

/** What a function is called by: its own name, the variable, the property or the method that it is. */
function namesOfFunction(fn: FunctionNode | ClassNode): string[] {
  const { parent } = fn;
  const own = fn.name === undefined ? [] : [fn.name.name];
  if (parent?.kind === 'variable') return [...own, ...namesIn(parent.target).map(({ name }) => name)];
  if ((parent?.kind === 'property' || parent?.kind === 'classMember') && parent.name !== undefined) return [...own, parent.name];
  if (parent?.kind === 'assign') return [...own, lastName(parent.target)];
  return own;
}
