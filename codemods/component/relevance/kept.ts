/** Whether a file keeps what others hand to it, where whoever asks for it later is not looked for. */
import { filling } from '../../syntax/item-methods.ts';
import { link, walk } from '../../syntax/link.ts';
import { scopesOf, type Scopes } from '../../syntax/scopes.ts';
import type { AssignNode, CallNode, FunctionNode, NameNode, Node, ProgramNode } from '../../syntax/tree.ts';

/** @returns whether one of its functions writes what may be of others to something that outlives the call */
export function keepsWhatItIsGiven(program: ProgramNode): boolean {
  link(program);
  const scopes = scopesOf(program);
  let keeps = false;
  walk(program, (node) => {
    keeps ||=
      (node.kind === 'assign' && mayBeGiven(scopes, node) && outlives(scopes, node)) ||
      (node.kind === 'call' && (extendsObject(node) || fillsWithGiven(scopes, node)));
  });
  return keeps;
}

/**
 * What nobody gave to a function is nobody's but the file's own: `this.startedAt = Date.now()`. Nor is it news to an instance what it makes of its own fields:
 * `this.timer = setInterval(() => this.once(), this.config.everyMs)`.
 */
function mayBeGiven(scopes: Scopes, { target, value }: AssignNode): boolean {
  const isOwnField = target.kind === 'member' && target.object.kind === 'this';
  let found = false;
  walk(value, (node) => {
    found ||= node.kind === 'name' ? isOfFunction(scopes, node, value) : node.kind === 'this' && !isOwnField;
  });
  return found;
}

/** `tools.push(tool)` of a list that is there for longer than the call, with what the function around it was given. */
function fillsWithGiven(scopes: Scopes, { callee, args }: CallNode): boolean {
  if (callee.kind !== 'member' || !filling.has(callee.property ?? '')) return false;
  let root: Node = callee.object;
  while (root.kind === 'member') root = root.object;
  const owner = root.kind === 'name' ? scopes.bindingOf(root)?.owner : undefined;
  const isLocal = owner !== undefined && functionAround(owner.parent, () => true) !== undefined;
  if (root.kind === 'name' ? owner === undefined || isLocal : root.kind !== 'this') return false;
  let isGiven = false;
  for (const arg of args)
    walk(arg, (node) => {
      isGiven ||= node.kind === 'name' && isOfFunction(scopes, node, arg);
    });
  return isGiven;
}

/** Whether a name is declared in a function around what it stands in. */
function isOfFunction(scopes: Scopes, name: NameNode, within: Node): boolean {
  const owner = scopes.bindingOf(name)?.owner;
  const isInside = owner !== undefined && within.start <= owner.start && owner.end <= within.end;
  return owner !== undefined && !isInside && functionAround(owner.parent, () => true) !== undefined;
}

function outlives(scopes: Scopes, { target, parent }: AssignNode): boolean {
  const around = functionAround(parent, () => true);
  if (around === undefined) return false;
  const owned = (node: Node): Node | undefined => {
    const owner = node.kind === 'name' ? scopes.bindingOf(node)?.owner : undefined;
    return owner !== undefined && functionAround(owner, () => true) === around ? owner : undefined;
  };
  if (target.kind !== 'member') return owned(target) === undefined;
  if (target.object.kind === 'this') return !isConstructor(functionAround(parent, ({ isArrow }) => !isArrow));
  const owner = owned(target.object);
  return !(owner?.kind === 'variable' && (owner.init?.kind === 'object' || owner.init?.kind === 'array'));
}

function functionAround(node: Node | undefined, matches: (fn: FunctionNode) => boolean): FunctionNode | undefined {
  let at = node;
  while (at !== undefined && !(at.kind === 'function' && matches(at))) at = at.parent;
  return at;
}

/** The fields of an instance are there where it is made, by those who hand something to it. */
const isConstructor = (fn: FunctionNode | undefined): boolean => fn?.parent?.kind === 'classMember' && fn.parent.role === 'constructor';

/** `Object.assign(context, settings)`, and its likes. */
const extendsObject = ({ callee, args: [first] }: CallNode): boolean =>
  callee.kind === 'member' &&
  callee.object.kind === 'name' &&
  (callee.object.name === 'Object' || callee.object.name === 'Reflect') &&
  /^(?:assign|define\w+|set\w*)$/.test(callee.property ?? '') &&
  first?.kind !== 'object';
