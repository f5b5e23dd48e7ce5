/** Where headers are set that a request has, and what decides whether that place is come to. */
import type { Place } from '../../evaluate/budget.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { functionsAround } from '../../requests/left-to-default.ts';
import { walk } from '../../syntax/link.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { Node } from '../../syntax/tree.ts';
import { type RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { namedBy } from '../flow/functions/hooks.ts';
import { maxPlaces } from './text-follower.ts';
import { readersIn } from '../flow/readers.ts';

/** Where a header is set, or the function called that sets it. */
export interface HeaderPlace {
  readonly node: Node;
  readonly module: SourceModule;
  /** What is only sent where the tests around it say so. */
  readonly change: Change;
}

export interface Test extends HeaderPlace {
  readonly test: Node;
}

/** The places that set headers, and the calls of the functions that do. */
export function headerPlacesOf(ev: Evaluation, real: readonly RequestSite[]): HeaderPlace[] {
  const readers = readersIn(ev);
  const headers = new Map(
    real.flatMap(({ changes }) => changes.flatMap((change) => (change.what === 'header name' ? [[change.start, change]] : []))),
  );
  return [...headers.values()].flatMap((change) => {
    const { module } = change;
    const node = isScript(module) ? nodeAt(module, change) : undefined;
    if (node === undefined || !isScript(module)) return [];
    const places: Place[] = [{ node, module }];
    const seen = new Set<Binding>();
    for (const place of places) {
      for (const fn of functionsAround(place.node))
        for (const binding of namedBy(fn, place.module)) {
          if (seen.has(binding)) continue;
          seen.add(binding);
          const more = readers.of(binding, place.module);
          if (places.length + more.length <= maxPlaces) places.push(...more);
        }
    }
    return places.map((place): HeaderPlace => ({ node: place.node, module: place.module, change }));
  });
}

/** What decides whether that place is come to. Places in one chain of thousands have the tests before them each: ask for few. */
export function testsOf(ev: Evaluation, place: HeaderPlace): Test[] {
  const tests = [...testsAround(place.node)];
  ev.budget.count(tests.length);
  return tests.map((test) => ({ ...place, test }));
}

export const isTested = ({ node }: HeaderPlace): boolean => testsAround(node).next().done !== true;

function nodeAt({ tree: { program } }: SourceModule, { start, end }: Change): Node | undefined {
  let found: Node | undefined;
  walk(program, (node) => {
    if (node.kind !== 'program' && (node.start > start || node.end < end)) return false;
    found = node;
    return true;
  });
  return found;
}

/** What a header is sent with: `headers['x-api-key'] = key`, `{ 'x-api-key': key }`, `headers.set('x-api-key', key)`. */
export function sentIn(node: Node): Node | undefined {
  if (node.kind === 'property') return node.value;
  const { parent } = node;
  if (parent?.kind === 'property') return parent.value;
  if (parent?.kind === 'call' && parent.args[0] === node) return parent.args[1];
  return parent?.kind === 'member' && parent.parent?.kind === 'assign' && parent.parent.target === parent ? parent.parent.value : undefined;
}

/** What chooses the value of a header. */
function testsIn(value: Node | undefined): Node[] {
  const tests: Node[] = [];
  if (value !== undefined)
    walk(value, (each) => {
      if (each.kind === 'conditional') tests.push(each.test);
      if (each.kind === 'logical' && each.operator === '&&') tests.push(each.left);
      return each.kind !== 'function';
    });
  return tests;
}

function* testsAround(node: Node): Generator<Node> {
  yield* testsIn(sentIn(node));
  for (let at: Node = node; at.parent !== undefined; at = at.parent) {
    const around = at.parent;
    if (around.kind === 'conditional' && around.test !== at) yield around.test;
    if (around.kind === 'logical' && around.right === at) yield around.left;
    if (around.kind === 'other' && around.what === 'IfStatement' && around.children[0] !== at) yield* around.children.slice(0, 1);
    if (around.kind === 'block') yield* testsBefore(around.body, at);
  }
}

/** `if (…) return;` before it, and the cases of a switch that it stands in. */
function* testsBefore(statements: readonly Node[], at: Node): Generator<Node> {
  const isCase = at.kind === 'other' && at.what.endsWith('Clause');
  for (const each of statements) {
    if (!isCase && each === at) return;
    const [test, ...branches] = each.kind === 'other' ? each.children : [];
    if (isCase && (each.kind !== 'other' || !each.what.endsWith('Clause'))) yield each;
    else if (test === undefined || each.kind !== 'other') continue;
    else if (isCase ? each.what === 'CaseClause' : each.what === 'IfStatement' && branches.some(isLeft)) yield test;
  }
}

/** Whether something in a branch goes on elsewhere. */
function isLeft(branch: Node): boolean {
  let found = false;
  walk(branch, (node) => {
    found ||= node.kind === 'return' || (node.kind === 'other' && /^(?:Throw|Continue|Break)Statement$/.test(node.what));
    return !found && node.kind !== 'function';
  });
  return found;
}
