/** What a value is made of at the places that nothing leads beyond: through variables, lists, properties, loops and what helpers give back. */
import { walk } from '../../syntax/link.ts';
import type { CallNode, MemberNode, NameNode, Node } from '../../syntax/tree.ts';
import { returnsOf } from '../calls/returns.ts';
import { classAround } from '../calls/callees.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { settlementsOf } from '../calls/promise-executors.ts';
import { argumentIn, givenAt } from '../libraries/spied.ts';
import { optionsOf } from './values.ts';
import { perItem, taking } from '../../syntax/item-methods.ts';

/** The part of a value that the names lead to. */
export interface Read {
  readonly node: Node;
  readonly module: SourceModule;
  readonly path: readonly string[];
}

type On = (node: Node, path?: readonly string[]) => Read;

/** Any item of a list. */
export const item = '[]';
const maxReads = 200;

/** What is read is made of, through variables, lists, properties and what helpers give back. */
export function leavesOf(read: Read, ev: Evaluation): readonly Read[] {
  const leaves: Read[] = [];
  const seen = new Set<string>();
  const waiting = [read];
  for (let next = waiting.pop(); next !== undefined && seen.size < maxReads; next = waiting.pop()) {
    const { node, module, path } = next;
    const key = `${module.file} ${node.start} ${node.end} ${path.join('.')}`;
    if (seen.size === seen.add(key).size) continue;
    const sources = sourcesOf(next, ev);
    if (sources === undefined) leaves.push(next);
    else waiting.push(...sources);
  }
  return leaves;
}

/** @returns undefined where it is made of nothing that can be followed */
function sourcesOf(read: Read, ev: Evaluation): readonly Read[] | undefined {
  const { node, path } = read;
  const [name, ...rest] = path;
  const on: On = (other, names = path) => ({ ...read, node: other, path: names });
  switch (node.kind) {
    case 'await':
      return [on(node.argument)];
    case 'conditional':
      return [on(node.whenTrue), on(node.whenFalse)];
    case 'logical':
      // What comes out of the left of `name && headers` holds nothing.
      return node.operator === '&&' ? [on(node.right)] : [on(node.left), on(node.right)];
    case 'member':
      return [on(node.object, [node.property ?? item, ...path])];
    case 'object':
      return node.properties.flatMap((each) =>
        each.kind === 'spread' ? [on(each.argument)] : name !== undefined && each.name === name ? [on(each.value, rest)] : [],
      );
    case 'array':
      return node.elements.flatMap((each) => (each === undefined ? [] : each.kind === 'spread' ? [on(each.argument)] : [on(each, rest)]));
    case 'name':
      return ofName(node, read, on);
    case 'call':
      return ofCall(node, read, on, ev);
    case 'this':
      return ofField(node, read, on);
    default:
      return undefined;
  }
}

function ofName(named: NameNode, { module, path }: Read, on: On): readonly Read[] | undefined {
  const binding = module.scopes.bindingOf(named);
  const owner = binding?.owner;
  if (binding === undefined || (owner?.kind !== 'variable' && owner?.kind !== 'param')) return undefined;
  const whole = [...namesTo(binding.declaration, owner.target), ...path];
  if (owner.kind === 'variable') {
    const made = owner.init === undefined ? [] : [on(owner.init, owner.each === 'value' ? [item, ...whole] : whole)];
    const argument = argumentIn(path);
    const spied = argument && binding.references.flatMap((each) => givenAt(each, argument).map((node) => on(node, argument.rest)));
    return [...made, ...binding.references.flatMap((each) => putAt(each, path).map((put) => on(put.node, put.path))), ...(spied ?? [])];
  }
  // `calls.map(({ headers }) => headers)`
  const call = owner.parent?.parent;
  const callee = call?.kind === 'call' && call.args[0] === owner.parent ? call.callee : undefined;
  return callee?.kind === 'member' && perItem.has(callee.property ?? '') ? [on(callee.object, [item, ...whole])] : undefined;
}

/** What a class puts into its own field: `this.requests.push(request)`. */
function ofField(self: Node, { path: [name, ...rest] }: Read, on: On): readonly Read[] | undefined {
  const found: Read[] = [];
  walk(classAround(self) ?? self, (each) => {
    if (each.kind === 'member' && each.object.kind === 'this' && name !== undefined && each.property === name)
      found.push(...putAt(each, rest).map((put) => on(put.node, put.path)));
    return true;
  });
  return found.length === 0 ? undefined : found;
}

function ofCall(call: CallNode, { module, path }: Read, on: On, ev: Evaluation): readonly Read[] | undefined {
  const {
    callee,
    args: [fn],
  } = call;
  const method = callee.kind === 'member' ? (callee.property ?? '') : '';
  if (callee.kind === 'member' && takingCall.has(method)) return [on(callee.object, [item, ...path])];
  if (callee.kind === 'member' && copying.test(method)) return [on(callee.object, path)];
  if (fn !== undefined && isOfObject(call, /^(?:entries|keys)$/)) return [on(fn)];
  if (method === 'map' && fn?.kind === 'function') return returnsOf(fn).map((each) => on(each, path.slice(1)));
  const settled = settlementsOf(call, module);
  if (settled.length > 0) return settled.map((each) => on(each));
  const functions = optionsOf(ev.evaluate(callee, { module, frame: undefined })).filter((each) => each.type === 'function');
  return functions.length === 0
    ? undefined
    : functions.flatMap((each) => returnsOf(each.node).map((node) => ({ node, module: each.module, path })));
}

const takingCall: ReadonlySet<string> = new Set([...taking, 'getCall']);
const copying = /^(?:slice|splice|filter|reverse|concat|toSorted)$/;

/** The names that lead to what a pattern declares. */
export function namesTo(declaration: Node, target: Node): string[] {
  const names: string[] = [];
  for (let at: Node | undefined = declaration; at !== undefined && at !== target; at = at.parent)
    if (at.kind === 'patternProperty') names.unshift(at.name ?? item);
    else if (at.parent?.kind === 'arrayPattern') names.unshift(item);
  return names;
}

/** What is put into a variable at one of its places: `seen = request`, `seen.push(request)`, `seen.headers = headers`, `headers[name] = value`. */
function putAt({ parent, start }: NameNode | MemberNode, path: readonly string[]): readonly Pick<Read, 'node' | 'path'>[] {
  const [name, ...rest] = path;
  if (parent?.kind === 'assign' && parent.target.start === start) return [{ node: parent.value, path }];
  const around = parent?.kind === 'member' ? parent.parent : undefined;
  if (parent?.kind !== 'member' || around === undefined) return [];
  if (around.kind === 'call' && around.callee === parent && parent.property === 'push')
    return name === item ? around.args.map((node) => ({ node: node.kind === 'spread' ? node.argument : node, path: rest })) : [];
  if (around.kind !== 'assign' || around.target !== parent) return [];
  if (name !== undefined) return (parent.property ?? item) === name ? [{ node: around.value, path: rest }] : [];
  // Names that are not written there come from what is gone through.
  return parent.computed === undefined ? [] : [parent.computed, ...goneThroughAt(around)].map((node) => ({ node, path }));
}

/** `for (const [name, value] of headers) { … }`, `headers.forEach((value, name) => { … })`. */
function goneThroughAt(place: Node): Node[] {
  for (let at = place.parent; at !== undefined; at = at.parent) {
    if (at.kind === 'block' && at.role === 'loop') return at.body.flatMap((each) => (each.kind === 'variable' ? (each.init ?? []) : []));
    const call = at.kind === 'function' ? at.parent : undefined;
    if (call?.kind === 'call' && call.callee.kind === 'member') return call.callee.property === 'forEach' ? [call.callee.object] : [];
  }
  return [];
}

/** `Object.assign(…)`, `Object.entries(…)` */
export const isOfObject = ({ callee }: CallNode, method: RegExp): boolean =>
  callee.kind === 'member' && callee.object.kind === 'name' && callee.object.name === 'Object' && method.test(callee.property ?? '');
