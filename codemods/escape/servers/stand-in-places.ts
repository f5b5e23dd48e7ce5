/** Where the server of a test says which paths it has, and where the test says which requests came: places that name a path of v1. */
import { startsServer } from '../../clients/servers/frameworks.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import { globalName } from '../../evaluate/writes/keeping.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { namesOf } from '../../evaluate/names/other-names.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat, sliceParts } from '../../evaluate/values/text.ts';
import { type ClassValue, optionsOf, type Part, partsOf } from '../../evaluate/values/values.ts';
import { isCapturedByServer } from '../../clients/testing/expected/captured.ts';
import { expectedBy } from '../../clients/testing/expected/compared-with.ts';
import { addressOf } from '../../clients/testing/path-patterns.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import { type Binding, namesIn } from '../../syntax/scopes.ts';
import type { CallNode, Expression, FunctionNode, NameNode, Node, PropertyNode } from '../../syntax/tree.ts';
import { paramsFor } from '../flow/functions/arguments.ts';
import { isDefinition, isPrefixOfTests } from './own-routes.ts';
import { segmentsIn } from './path-segments.ts';

export interface NamedPath {
  readonly node: Node;
  readonly module: SourceModule;
  /** From the slash before the version on. */
  readonly url: readonly Part[];
  /** Whether others follow it in what is asked. */
  readonly isPart: boolean;
  /** What stands before the version, but for the method. */
  readonly folders: string;
  /** Whether it is the version by itself, which a server of anybody's may look for. */
  readonly isSegment?: boolean;
}

/** Behind a method, and folders that a test asks its server below. */
const line = /^(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ :]\s*)?((?:\/(?!v1[/?#])[\w.-]+)*)(\/v1(?=[/?#]|$))/;

/** The path of v1's that a text begins with, behind a method. */
export function pathIn(node: Node): string | undefined {
  const text =
    node.kind === 'string'
      ? node.value
      : node.kind === 'template'
        ? (node.texts[0]?.value ?? '')
        : node.kind === 'property'
          ? (node.name ?? '')
          : writtenIn(node);
  return line.exec(text) === null ? undefined : text.slice(text.indexOf('/v1'));
}

const writtenIn = (node: Node): string => {
  const pattern = node.kind === 'literal' && typeof node.value === 'object' ? node.value?.pattern : undefined;
  return (pattern ?? '')
    .replace(/^\^/, '')
    .replaceAll('\\', '')
    .replace(/[$(?[].*$/s, '');
};

export function namedPathsIn(ev: Evaluation, module: SourceModule, isOfTests: IsOfTests): NamedPath[] {
  const { program } = module.tree;
  const texts = module.texts.flatMap((node) => {
    const parts = textOf(ev, node, module);
    const text = flat(parts);
    const [whole, method, folders = '', path] = line.exec(text) ?? [];
    if (whole === undefined || path === undefined) return [];
    const as = placeOf(ev, node, module, method !== undefined, isOfTests);
    const start = whole.length - path.length;
    // Behind a blank stands what else is noted down of a request.
    const end = start + text.slice(start).search(/\s|$/);
    return as === undefined ? [] : [{ node, module, url: sliceParts(parts, start, end), isPart: as === 'part', folders }];
  });
  const keys = nodesOfKind(program, 'property').flatMap((node) => {
    const [whole, , folders = '', path] = line.exec(node.name ?? '') ?? [];
    const start = node.keyStart + 1;
    const isExact = module.text.startsWith(node.name ?? '', start);
    if (whole === undefined || path === undefined || !isExact || !isTable(ev, node, module, isOfTests)) return [];
    const offset = whole.length - path.length;
    const text = (node.name ?? '').slice(offset);
    return [{ node, module, url: [{ text, source: { module, start: start + offset, isExact, node } }], isPart: false, folders }];
  });
  const patterns = module.calls.flatMap((call) => patternIn(ev, call, module));
  const segments = segmentsIn(ev, module, expectedOf).flatMap(({ node, of }) =>
    of.every((each) => isArrived(each, module)) ? versionAt(node, 1, module) : [],
  );
  const found = [...texts, ...keys, ...patterns, ...segments];
  // Below more folders than one, each may stand for another service.
  const isOne = new Set(found.flatMap(({ folders }) => (folders === '' ? [] : folders))).size <= 1;
  return found.filter(({ folders }) => folders === '' || isOne);
}

/** A version that stands without the slash before it. */
const versionAt = (node: Node, offset: number, module: SourceModule): NamedPath => {
  const source = { module, start: node.start + offset, isExact: true, node };
  return { node, module, url: [{ text: '/' }, { text: 'v1', source }], isPart: true, folders: '', isSegment: true };
};

/** What a test compares with an expectation, and the whole of that. */
export function expectedOf(node: Node): readonly [Node, Node] | readonly [] {
  const [call, outer] = expectationAround(node);
  const actual = call && actualOf(call);
  return actual === undefined || outer === undefined || actual === outer ? [] : [actual, outer];
}

function textOf(ev: Evaluation, node: Expression, module: SourceModule): readonly Part[] {
  if (!/\/v1(?![\w-])/.test(module.text.slice(node.start, node.end))) return [];
  const [value, more] = optionsOf(ev.evaluate(node, { module, frame: undefined }));
  return value?.type === 'text' && more === undefined ? partsOf(value) : [];
}

const searching = /^(?:includes|startsWith|endsWith|indexOf|match|search|replace|split)$/;

/** What a text is there: a whole path, a part of one, or nothing that a server is asked by. */
function placeOf(
  ev: Evaluation,
  node: Expression,
  module: SourceModule,
  isLine: boolean,
  isOfTests: IsOfTests,
): 'whole' | 'part' | undefined {
  const at: At = { module, frame: undefined };
  const { parent } = node;
  if (parent?.kind === 'binary' && /^[!=]==?$/.test(parent.operator))
    return isArrived(parent.left === node ? parent.right : parent.left, module) || isLine ? 'whole' : undefined;
  if (parent?.kind === 'other' && parent.what === 'CaseClause') {
    const [asked] = parent.parent?.kind === 'block' ? parent.parent.body : [];
    return isLine || (asked !== undefined && isArrived(asked, module)) ? 'whole' : undefined;
  }
  if (parent?.kind === 'property' && parent.value === node && /^(?:url|path|prefix|pathname)$/.test(parent.name ?? '')) {
    const call = parent.parent?.parent;
    if (call?.kind === 'call' && call.callee.kind === 'member' && /^(?:route|register)$/.test(call.callee.property ?? ''))
      return parent.name !== 'prefix' ? 'whole' : isPrefixOfTests(ev, node, module, isOfTests) ? 'part' : undefined;
  }
  if (parent?.kind === 'call' && parent.callee.kind === 'member') {
    const { property = '', object } = parent.callee;
    if (parent.args[0] === node && isDefinition(ev, parent, module)) {
      if (answersByProgram(ev, parent, module, isOfTests)) return undefined;
      return property === 'use' ? 'part' : 'whole';
    }
    if (parent.args[0] === node && searching.test(property) && (isLine || isArrived(object, module))) return 'part';
  }
  if (isPrefixOfTests(ev, node, module, isOfTests)) return 'part';
  if (isNameInTable(ev, node, module, isOfTests)) return 'whole';
  const [call] = expectationAround(node);
  const [actual, outer] = expectedOf(node);
  if (call === undefined || actual === undefined) return undefined;
  if (!isLine && !isArrived(actual, module) && !isCapturedByServer(actual, { ...at, ev })) return undefined;
  return /contain|match/i.test(call.callee.kind === 'member' ? (call.callee.property ?? '') : '') && outer === node ? 'part' : 'whole';
}

/** `app.get('/v1/contacts', contacts)` with a handler of the program: the test asks what the program itself answers there. */
const answersByProgram = (ev: Evaluation, { args: [, ...handlers] }: CallNode, module: SourceModule, isOfTests: IsOfTests): boolean =>
  handlers
    .flatMap((each) => (each.kind === 'spread' ? [] : optionsOf(ev.evaluate(each, { module, frame: undefined }))))
    .some((each) => 'module' in each && each.module !== undefined && isScript(each.module) && !isOfTests(each.module));

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

/** Whether a file is of the tests, and not of the program. */
type IsOfTests = (module: SourceModule) => boolean;

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
  if (isAskedForArrived(place, module) || isAnswering(place)) return 'server';
  const { parent } = place;
  if (parent?.kind === 'call' && parent.callee !== place && isServing(ev, parent, module, isOfTests)) return 'server';
  const walked = walkedBy(place, module);
  if (walked === undefined || isExpected(walked)) return undefined;
  const loop = walked.parent;
  const names = loop?.kind === 'variable' && loop.each !== undefined ? namesIn(loop.target) : [];
  const uses = names.flatMap((name) => module.scopes.declaredBy(name)?.references ?? []);
  return uses.some(isAnswering) ? 'server' : 'other';
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

/** Whether a place is within what a server calls with what came. */
function isAnswering(place: Node): boolean {
  for (let fn = functionAround(place); fn !== undefined; fn = functionAround(fn)) if (answers(fn)) return true;
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

/** `expect(actual).toEqual([…])`, `assert.deepEqual(actual, […])`, with the argument that a place stands in. */
function expectationAround(node: Node): readonly [CallNode, Node] | readonly [] {
  let at = node;
  while (at.parent?.kind === 'array' || at.parent?.kind === 'object' || (at.parent?.kind === 'property' && at.parent.value === at))
    at = at.parent;
  const call = at.parent;
  if (call?.kind !== 'call' || call.callee === at) return [];
  if (call.callee.kind === 'member' && call.callee.property?.endsWith('Containing') === true) return expectationAround(call);
  return [call, at];
}

/** Whether a test compares with it. */
function isExpected(node: Node): boolean {
  return expectedOf(node).length > 0;
}

function actualOf(call: CallNode): Node | undefined {
  let root: Node = call.callee;
  while (root.kind === 'member') root = root.object;
  if (root.kind === 'call' && root.callee.kind === 'name' && root.callee.name === 'expect') return root.args[0];
  const [first] = call.args;
  if (root.kind !== 'name' || first === undefined) return undefined;
  return (root.name === 'assert' || root.name === 't') &&
    call.callee.kind === 'member' &&
    first.kind !== 'spread' &&
    expectedBy(call, first, []) !== undefined
    ? first
    : undefined;
}

/** `routes[req.url]` */
const isTable = (ev: Evaluation, { parent: object }: PropertyNode, module: SourceModule, isOfTests: IsOfTests): boolean =>
  object?.kind === 'object' && isLookedIn(ev, holderOf(object), module, isOfTests);

/** `/^\/(?<version>v1)\/…/` */
const grouped = /^\/\^?\\?\/\((?:\?:|\?<\w+>)?(?=v1\)(?:\\?\/|\$?\/$))/;

/** `/^\/v1\/contacts\/\w+$/.test(req.url)`, `req.url.match(/…/)`. */
function patternIn(ev: Evaluation, call: CallNode, module: SourceModule): NamedPath[] {
  const { callee, args } = call;
  if (callee.kind !== 'member') return [];
  const [first] = args;
  const isTested = callee.object.kind === 'literal' && /^(?:test|exec)$/.test(callee.property ?? '');
  const [pattern, asked] = isTested ? [callee.object, first] : [first, callee.object];
  if (pattern?.kind !== 'literal' || asked === undefined) return [];
  const isServed = !isTested && isDefinition(ev, call, module);
  if (!isServed && (!(isTested || searching.test(callee.property ?? '')) || !isArrived(asked, module))) return [];
  const { url } = addressOf(pattern, module, undefined);
  const [before] = url === undefined && !isServed ? (grouped.exec(module.text.slice(pattern.start, pattern.end)) ?? []) : [];
  if (before !== undefined) return [versionAt(pattern, before.length, module)];
  return url?.type === 'text' && flat(url.parts).startsWith('/v1')
    ? [{ node: pattern, module, url: url.parts, isPart: true, folders: '' }]
    : [];
}

/** Whether a file has a server. */
export const serves = ({ text }: SourceModule): boolean => startsServer.test(text);

/** Whether something is made of a request that came: `req.url`, `new URL(req.url, base).pathname`, a list that it was put into. */
export function isArrived(node: Node, module: SourceModule, seen = new Set<Binding>()): boolean {
  let found = false;
  walk(node, (each) => {
    found ||= each.kind === 'name' && isOfArrived(each, module, seen);
    return !found && each.kind !== 'function';
  });
  return found;
}

function isOfArrived(name: NameNode, module: SourceModule, seen: Set<Binding>): boolean {
  const binding = module.scopes.bindingOf(name);
  if (binding === undefined || seen.has(binding)) return false;
  seen.add(binding);
  const { owner, references } = binding;
  if (owner.kind === 'param') {
    const fn = owner.parent;
    if (fn?.kind !== 'function') return false;
    if (fn.params[0] === owner && isHandler(fn)) return true;
    const call = fn.parent;
    return call?.kind === 'call' && call.callee.kind === 'member' && call.args[0] === fn && isArrived(call.callee.object, module, seen);
  }
  if (owner.kind !== 'variable') return false;
  if (owner.init !== undefined && isArrived(owner.init, module, seen)) return true;
  return references.some(({ parent, ...reference }) => {
    if (parent?.kind === 'assign' && parent.target.start === reference.start) return isArrived(parent.value, module, seen);
    const pushed = parent?.kind === 'member' && /^(?:push|unshift|add)$/.test(parent.property ?? '') ? parent.parent : undefined;
    return pushed?.kind === 'call' && pushed.args.some((arg) => isArrived(arg, module, seen));
  });
}

/** What a server calls with what came: by what it answers with, by its name, or given to `createServer`. */
function isHandler(fn: FunctionNode): boolean {
  const [first] = fn.params;
  return (first?.target.kind === 'patternName' && /^_?(?:req|request|ctx|context|c)$/.test(first.target.name)) || answers(fn);
}

function answers({ params: [, answer], parent }: FunctionNode): boolean {
  if (answer?.target.kind === 'patternName' && /^_?(?:res|response|reply)$/.test(answer.target.name)) return true;
  const callee = parent?.kind === 'call' ? parent.callee : undefined;
  return (callee?.kind === 'member' ? callee.property : callee?.kind === 'name' ? callee.name : undefined) === 'createServer';
}
