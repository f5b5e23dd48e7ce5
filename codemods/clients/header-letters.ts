/**
 * In which letters a test has the names of the headers that it captured: `Headers`, servers and mocks of whole requests hand them out in
 * small ones, and what keeps `init.headers` has them as the client wrote them.
 */
import { v1Auth } from '../../src/contract/auth.ts';
import { returnsOf } from '../evaluate/apply.ts';
import { mockIn } from '../evaluate/comparisons.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { elementMethods } from '../evaluate/inner-names.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import { settlementsOf } from '../evaluate/promises.ts';
import { choiceOf, type Entry, optionsOf, type Value } from '../evaluate/values.ts';
import { walk } from '../syntax/link.ts';
import type { CallNode, NameNode, Node } from '../syntax/tree.ts';
import { isOfServer } from './captured.ts';

/** The part of a value that the names lead to. */
interface Read {
  readonly node: Node;
  readonly module: SourceModule;
  readonly path: readonly string[];
}

type On = (node: Node, path?: readonly string[]) => Read;

/** Any item of a list. */
const item = '[]';
const maxReads = 200;

/** Whether headers that a test reads have their names in small letters. */
export const isInSmallLetters = (node: Node, { ev, module }: At & { readonly ev: Evaluation }, path: readonly string[] = []): boolean =>
  leavesOf({ node, module, path }, ev).some((leaf) => isSmallIn(leaf, ev));

/** Whether headers come from where nobody sees what keeps them: `this.server.requests[0].headers`, or of what a package gives that is not known. */
export const areLettersOpen = (node: Node, { ev, module }: At & { readonly ev: Evaluation }): boolean =>
  leavesOf({ node, module, path: [] }, ev).some((leaf) => isOpen(leaf, ev));

function isOpen({ node, module, path }: Read, ev: Evaluation): boolean {
  if (path.length < 2 || path.at(-1) !== 'headers' || path.includes('mock')) return false;
  if (node.kind !== 'call') return node.kind === 'this';
  const callee = ev.evaluate(node.callee, { module, frame: undefined });
  return callee.type === 'external' && callee.source !== '' && !ev.rules.some(({ modules }) => modules?.includes(callee.source));
}

/** Whether an object that is expected stands where what a test looks at has the headers of a request, and nothing else. */
export const isOfHeaders = (expected: Value, actual: Node, at: At & { readonly ev: Evaluation }): boolean =>
  optionsOf(expected).every(
    (each) => each.type === 'object' && each.entries.some((entry) => isKey(entry) && isInSmallLetters(actual, at, pathTo(entry.node))),
  );

/**
 * Requests that a test expects, with the names of their headers as what it looks at has them.
 * @param actual what it looks at
 */
export function inTheirLetters(requests: Value, actual: Node, at: At & { readonly ev: Evaluation }): Value {
  const written = (entry: Entry): Entry =>
    entry.node.kind === 'property' && isKey(entry) && isInSmallLetters(actual, at, pathTo(entry.node))
      ? { ...entry, isLookup: true }
      : entry;
  const headers = (value: Value): Value =>
    choiceOf(optionsOf(value).map((each) => (each.type === 'object' ? { ...each, entries: each.entries.map(written) } : each)));
  return choiceOf(optionsOf(requests).map((each) => (each.type === 'http' ? { ...each, headers: each.headers.map(headers) } : each)));
}

/**
 * A header as it has to be written beside what is sent on of a request that has arrived: `{ ...req.headers, 'x-api-key': key }`. Theirs are in
 * small letters, and the Fetch standard sends two names that differ in letters as one header with both values.
 */
export function besideArrived(entry: Entry, ev: Evaluation): Entry {
  const { node, module } = entry;
  if (!isKey(entry) || !isScript(module)) return entry;
  const into =
    node.kind === 'property' ? node.parent : node.kind === 'assign' && node.target.kind === 'member' ? node.target.object : undefined;
  return into !== undefined && isInSmallLetters(into, { ev, module, frame: undefined }) ? { ...entry, isBesideSmall: true } : entry;
}

/** Headers as a server of the tests has them. */
export const inSmallLetters = (headers: Value): Value =>
  choiceOf(
    optionsOf(headers).map((each) =>
      each.type === 'object' ? { ...each, entries: each.entries.map((entry) => ({ ...entry, isLookup: true })) } : each,
    ),
  );

const isKey = ({ name }: Entry): boolean => name?.toLowerCase() === v1Auth.field;

/** The names that lead to the object of a property from the whole of what is expected. */
function pathTo(property: Node): string[] {
  const path: string[] = [];
  for (let at = property.parent; at?.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'property' && parent.name !== undefined) path.unshift(parent.name);
    else if (parent.kind === 'array') path.unshift(item);
    else if (parent.kind === 'call' && parent.callee.kind === 'member' && parent.callee !== at) {
      if (parent.callee.property === 'toContainEqual') path.unshift(item);
      if (!/^(?:object|array)Containing$/.test(parent.callee.property ?? '')) return path;
    } else if (parent.kind !== 'object') return path;
  }
  return path;
}

/** What is read is made of, through variables, lists, properties and what helpers give back. */
function leavesOf(read: Read, ev: Evaluation): readonly Read[] {
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
      return [on(node.left), on(node.right)];
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
    return [...made, ...binding.references.flatMap((each) => putAt(each, path).map((put) => on(put.node, put.path)))];
  }
  // `calls.map(({ headers }) => headers)`
  const call = owner.parent?.parent;
  const callee = call?.kind === 'call' && call.args[0] === owner.parent ? call.callee : undefined;
  return callee?.kind === 'member' && elementMethods.has(callee.property ?? '') ? [on(callee.object, [item, ...whole])] : undefined;
}

function ofCall(call: CallNode, { module, path }: Read, on: On, ev: Evaluation): readonly Read[] | undefined {
  const {
    callee,
    args: [fn],
  } = call;
  const method = callee.kind === 'member' ? (callee.property ?? '') : '';
  if (callee.kind === 'member' && taking.test(method)) return [on(callee.object, [item, ...path])];
  if (callee.kind === 'member' && copying.test(method)) return [on(callee.object, path)];
  if (method === 'map' && fn?.kind === 'function') return returnsOf(fn).map((each) => on(each, path.slice(1)));
  const settled = settlementsOf(call, module);
  if (settled.length > 0) return settled.map((each) => on(each));
  const functions = optionsOf(ev.evaluate(callee, { module, frame: undefined })).filter((each) => each.type === 'function');
  return functions.length === 0
    ? undefined
    : functions.flatMap((each) => returnsOf(each.node).map((node) => ({ node, module: each.module, path })));
}

const taking = /^(?:at|pop|shift|find|findLast)$/;
const copying = /^(?:slice|filter|reverse|concat|toSorted)$/;

/** The names that lead to what a pattern declares. */
function namesTo(declaration: Node, target: Node): string[] {
  const names: string[] = [];
  for (let at: Node | undefined = declaration; at !== undefined && at !== target; at = at.parent)
    if (at.kind === 'patternProperty') names.unshift(at.name ?? item);
    else if (at.parent?.kind === 'arrayPattern') names.unshift(item);
  return names;
}

/** What is put into a variable at one of its places: `seen = request`, `seen.push(request)`, `seen.headers = headers`, `headers[name] = value`. */
function putAt({ parent, start }: NameNode, path: readonly string[]): readonly Pick<Read, 'node' | 'path'>[] {
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

/** Whether names are in small letters where a value is made: `Object.fromEntries(new Headers(init.headers))`, `req.headers` of a server. */
function isSmallIn({ node, module, path }: Read, ev: Evaluation): boolean {
  // nock's functions have the request as a server does.
  if (node.kind === 'this') return path.join('.') === 'req.headers';
  if (path.length > 1) return isOfDefaults(path, ev.evaluate(node, { module, frame: undefined }), ev);
  if (path.length > 0) return path[0] === 'headers' && node.kind === 'name' && isArrived(node, module, ev);
  let isFound = false;
  walk(node, (each) => {
    isFound ||= each.kind === 'call' && makesSmall(each, module);
    return !isFound && each.kind !== 'function';
  });
  return isFound;
}

/** `client.defaults.options.headers` */
function isOfDefaults(path: readonly string[], of: Value, { rules }: Evaluation): boolean {
  const rule = of.type === 'http' ? rules.find(({ name }) => name === of.client) : undefined;
  return rule?.lowersHeaders === true && path.join('.') === [...(rule.defaults ?? []), 'headers'].join('.');
}

function isArrived(node: NameNode, module: SourceModule, ev: Evaluation): boolean {
  const owner = module.scopes.bindingOf(node)?.owner;
  if (owner?.kind !== 'param') return false;
  return isOfServer(owner) || mockIn(ev.evaluate(node, { module, frame: undefined }))?.notes?.['small'] !== undefined;
}

/** `new Headers(…)`, `Object.fromEntries(headers)`, `name.toLowerCase()`; `Object.entries(…)` of what is no `Headers` has names as they are written. */
function makesSmall({ callee, isNew, start, end }: CallNode, { text }: SourceModule): boolean {
  if (callee.kind === 'name') return isNew && /^(?:Headers|Request)$/.test(callee.name);
  if (callee.kind !== 'member') return false;
  const isOfEntries = callee.property === 'fromEntries' && !/\bObject\.entries\(/.test(text.slice(start, end));
  return isOfEntries || callee.property === 'toLowerCase';
}
