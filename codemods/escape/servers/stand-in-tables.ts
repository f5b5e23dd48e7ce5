/** Tables in which a test's server, or what it has in the place of `fetch`, looks its answers up. */
import { startsServer } from '../../clients/servers/frameworks.ts';
import { isFetch } from '../../clients/testing/stubs.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { namesOf } from '../../evaluate/names/other-names.ts';
import { type ClassValue, optionsOf } from '../../evaluate/values/values.ts';
import { globalName } from '../../evaluate/writes/keeping.ts';
import { mapping } from '../../syntax/item-methods.ts';
import { walk } from '../../syntax/link.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { CallNode, Node, PropertyNode } from '../../syntax/tree.ts';
import { paramsFor } from '../flow/functions/arguments.ts';
import { answers, isArrived } from './arrived.ts';
import { isExpected } from './stand-in-expectations.ts';

/** Whether a file is of the tests, and not of the program. */
export type IsOfTests = (module: SourceModule) => boolean;

/** Whether a text is a name in a table of a test's server, or a helper of the test makes one of it: `stub('GET', '/v1/contacts', answer)`. */
export function isNameInTable(ev: Evaluation, node: Node, module: SourceModule, isOfTests: IsOfTests = isTest): boolean {
  const table = tableOf(node);
  if (table !== undefined) return isLookedIn(ev, table, module, isOfTests);
  const { parent: call } = node;
  if (call?.kind !== 'call' || call.callee === node) return false;
  return optionsOf(ev.evaluate(call.callee, { module, frame: undefined })).every((fn) => {
    if (fn.type !== 'function' || !(fn.module === module || isOfTests(fn.module))) return false;
    const { scopes } = fn.module;
    const [param] = paramsFor(fn.node, node);
    const uses = (param?.target.kind === 'patternName' ? scopes.declaredBy(param.target)?.references : undefined) ?? [];
    const isName = (use: Node): boolean => {
      const name = use.parent?.kind === 'template' || use.parent?.kind === 'concat' ? use.parent : use;
      return tableOf(name) !== undefined && isNameInTable(ev, name, fn.module, isOfTests);
    };
    return uses.length > 0 && uses.every(isName);
  });
}

/** The table that a text is a name in: `answers['/v1/contacts']`, `answers.set('/v1/contacts', …)`, `new Map([['/v1/contacts', …]])`. */
function tableOf(name: Node): Node | undefined {
  const { parent } = name;
  if (parent?.kind === 'member') return parent.computed === name ? parent.object : undefined;
  if (parent?.kind === 'call' && parent.callee.kind === 'member')
    return parent.args[0] === name && /^(?:set|get|has|delete)$/.test(parent.callee.property ?? '') ? parent.callee.object : undefined;
  const made = parent?.kind === 'array' && parent.elements[0] === name ? parent.parent?.parent : undefined;
  return made?.kind === 'call' && made.isNew && made.callee.kind === 'name' && made.callee.name === 'Map' ? holderOf(made) : undefined;
}

/** What is given a value by its name, or the value itself. */
const holderOf = (value: Node): Node =>
  value.parent?.kind === 'variable' || value.parent?.kind === 'assign' ? value.parent.target : value;

const tables = new WeakMap<Node, boolean>();

/** Whether a server looks into that very table, once for all that it holds: what else a test keeps by such names may be about its own program. */
function isLookedIn(ev: Evaluation, table: Node, module: SourceModule, isOfTests: IsOfTests): boolean {
  if (table.kind === 'member') {
    const { object, property = '' } = table;
    const holders = optionsOf(ev.evaluate(object, { module, frame: undefined }));
    const isOfTest = (of: SourceModule): boolean => of === module || isOfTests(of);
    return holders.every((holder) => {
      if (holder.type === 'instance') return isOfTest(holder.of.module) && fieldsLookedIn(holder.of).has(property);
      // `return { answers, start }` of a helper that makes the server.
      const held = holder.type === 'object' ? holder.entries.filter(({ name }) => name === property) : [];
      return (
        held.length > 0 &&
        held.every(
          ({ valueNode: of, module: at }) => of?.kind === 'name' && isScript(at) && isOfTest(at) && isLookedIn(ev, of, at, isOfTests),
        )
      );
    });
  }
  const { scopes } = module;
  const binding = table.kind === 'patternName' ? scopes.declaredBy(table) : table.kind === 'name' ? scopes.bindingOf(table) : undefined;
  const known = tables.get(binding?.declaration ?? table);
  if (known !== undefined) return known;
  const found = isOfServer(ev, binding?.references ?? [table], module, isOfTests);
  tables.set(binding?.declaration ?? table, found);
  return found;
}

/** Whether a server of the tests has a table, by any of its names, and nothing else goes through all that is in there. */
function isOfServer(ev: Evaluation, places: readonly Node[], module: SourceModule, isOfTests: IsOfTests): boolean {
  const first = places.map((node) => ({ node, at: { module, frame: undefined }, isOwn: false }));
  const seen = namesOf(ev, first).all.filter(({ at }) => at.module === module || isOfTests(at.module));
  const uses = new Set(seen.map(({ node, at }) => useOfTable(ev, node, at.module, isOfTests)));
  return uses.has('server') && !uses.has('other');
}

/** What goes through a table at a place, if anything does. */
function useOfTable(ev: Evaluation, place: Node, module: SourceModule, isOfTests: IsOfTests): 'server' | 'other' | undefined {
  if (isAskedForArrived(place, module) || isAnswering(place, module)) return 'server';
  const { parent } = place;
  if (parent?.kind === 'call' && parent.callee !== place && isServing(ev, parent, module, isOfTests)) return 'server';
  const walked = walkedBy(place, module);
  if (walked === undefined || isExpected(walked)) return undefined;
  const loop = madeItems(walked).parent;
  const names = loop?.kind === 'variable' ? namesIn(loop.target) : [];
  const uses = names.flatMap((name) => module.scopes.declaredBy(name)?.references ?? []);
  return uses.some((use) => isAnswering(use, module)) ? 'server' : 'other';
}

/** What is made of the items of a list, one by one: `Object.entries(table).map(([line, answer]) => …)`. */
function madeItems(list: Node): Node {
  const { parent } = list;
  const call = parent?.kind === 'member' && parent.object === list && mapping.has(parent.property ?? '') ? parent.parent : undefined;
  return call?.kind === 'call' ? madeItems(call) : list;
}

/** What gives all names of a table: `Object.entries(table)`, `table.keys()`, `[...table]`, `for (const line in table)`. */
function walkedBy(table: Node, module: SourceModule): Node | undefined {
  const { parent } = table;
  if (parent?.kind === 'variable') return parent.init === table && parent.each !== undefined ? table : undefined;
  if (parent?.kind === 'spread') return parent.parent?.kind === 'array' ? parent.parent : undefined;
  if (parent?.kind === 'member' && parent.object === table)
    return parent.parent?.kind === 'call' && /^(?:keys|entries|forEach)$/.test(parent.property ?? '') ? parent.parent : undefined;
  return parent?.kind === 'call' && parent.args[0] === table && /^Object\.(?:keys|entries)$/.test(globalName(parent.callee, module))
    ? parent
    : undefined;
}

/** Whether a place is within what a server calls with what came, or what is called in the place of `fetch`. */
function isAnswering(place: Node, module: SourceModule): boolean {
  for (let fn = functionAround(place); fn !== undefined; fn = functionAround(fn)) if (answers(fn) || isFetch(fn, module)) return true;
  return false;
}

/** Whether a test calls what starts a server. */
const isServing = (ev: Evaluation, { callee }: CallNode, module: SourceModule, isOfTests: IsOfTests): boolean =>
  optionsOf(ev.evaluate(callee, { module, frame: undefined })).some(
    (fn) =>
      (fn.type === 'function' || fn.type === 'class') &&
      (fn.module === module || isOfTests(fn.module)) &&
      startsServer.test(fn.module.text.slice(fn.node.start, fn.node.end)),
  );

const fields = new WeakMap<Node, ReadonlySet<string>>();

/** The fields of a class into which it looks by what came; once for all that is put there. */
function fieldsLookedIn({ node: of, module }: ClassValue): ReadonlySet<string> {
  const known = fields.get(of);
  if (known !== undefined) return known;
  const found = new Set<string>();
  walk(of, (each) => {
    if (each.kind === 'member' && each.object.kind === 'this' && isAskedForArrived(each, module)) found.add(each.property ?? '');
    return each === of || each.kind !== 'class';
  });
  fields.set(of, found);
  return found;
}

/** `answers[req.url]`, `answers.get(req.url)` */
function isAskedForArrived({ parent: use }: Node, module: SourceModule): boolean {
  if (use?.kind !== 'member') return false;
  const call = use.computed === undefined && /^(?:get|has)$/.test(use.property ?? '') ? use.parent : undefined;
  const asked = call?.kind === 'call' ? call.args[0] : use.computed;
  return asked !== undefined && isArrived(asked, module);
}

/** `routes[req.url]` */
export const isTable = (ev: Evaluation, { parent: object }: PropertyNode, module: SourceModule, isOfTests: IsOfTests): boolean =>
  object?.kind === 'object' && isLookedIn(ev, holderOf(object), module, isOfTests);
