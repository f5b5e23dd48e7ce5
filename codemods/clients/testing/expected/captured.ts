/** What a test captured of a request: `calls.push({ url, init })`, and what is read of it later. */
import { returnsOf } from '../../../evaluate/calls/returns.ts';
import { assignmentOf } from '../../../evaluate/names/assignments.ts';
import { classAround, functionAround } from '../../../evaluate/calls/callees.ts';
import { bindingExported, declaredAs } from '../../../evaluate/names/declared.ts';
import { membersNamed } from '../../../evaluate/classes/class-index.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { mockIn } from '../../../evaluate/language/comparisons.ts';
import { settlementsOf } from '../../../evaluate/calls/promise-executors.ts';
import { isOfServer } from '../../../evaluate/values/small-letters.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { flat, isAbsolute, joinUrl } from '../../../evaluate/values/text.ts';
import { choiceOf, type ClassValue, type HttpValue, optionsOf, partsOf, type Value } from '../../../evaluate/values/values.ts';
import { walk } from '../../../syntax/link.ts';
import type { Binding } from '../../../syntax/scopes.ts';
import { isOfFake } from '../stubs.ts';
import type { CallNode, Expression, FunctionNode, MemberNode, NameNode, Node } from '../../../syntax/tree.ts';
import { taking } from '../../../syntax/item-methods.ts';

/** Whether a value was captured by a function that got it as an argument: `calls.push({ url, init })`, `seen = request`. */
export function isCaptured(node: Node, at: At & { readonly ev: Evaluation }, depth = 0, holds = holdsParam): boolean {
  const root = rootOf(node);
  const { binding, module = at.module } = keeperOf(root, at) ?? {};
  if (module !== at.module) return isKeptIn(binding, module, holds, at.ev);
  if (binding?.owner.kind === 'param') return isItem(binding.owner, at, depth, holds);
  if (binding?.owner.kind !== 'variable' || depth > maxDepth) return false;
  const { init, target } = binding.owner;
  if (init !== undefined && target.kind !== 'patternName') {
    const { parent } = binding.declaration;
    const name = parent?.kind === 'patternProperty' ? parent.name : undefined;
    return isCaptured(init, at, depth + 1, holds) || isHandedOut(init, name, at, depth + 1, holds);
  }
  if (init?.kind === 'member' || init?.kind === 'name') return isCaptured(init, at, depth + 1, holds);
  // `new URL(calls[0])`; a class of the tests may keep what it is asked for, whatever it is made with.
  if (init?.kind === 'call' && (isWrapped(init) || isPicked(init)) && isCaptured(init, at, depth + 1, holds)) return true;
  const read = root.parent?.kind === 'member' ? root.parent.property : undefined;
  const given = [init, ...binding.references.map(({ parent }) => (parent?.kind === 'assign' ? parent.value : undefined))];
  return isKeptIn(binding, module, holds, at.ev) || given.some((each) => isHandedOut(each, read, at, depth + 1, holds));
}

const isKeptIn = (binding: Binding | undefined, module: SourceModule, holds: Holds, ev: Evaluation): boolean =>
  binding?.references.some((reference) => placesAt(reference, module, ev).some((each) => holds(each.node, each.module))) === true;

interface Place {
  readonly node: Node;
  readonly module: SourceModule;
}

/** What is put there into a variable, also by a function of the tests that is handed it: `fakeFetch(calls)`. */
function placesAt(reference: NameNode, module: SourceModule, ev: Evaluation): readonly Place[] {
  const own = keptAt(reference).map((node) => ({ node, module }));
  const { parent } = reference;
  const index = parent?.kind === 'call' ? parent.args.findIndex((arg) => arg === reference) : -1;
  if (own.length > 0 || parent?.kind !== 'call' || index === -1) return own;
  const fn = declaredAs(ev, parent.callee, module);
  const param = fn?.node.kind === 'function' && isTest(fn.module) ? fn.node.params[index]?.target : undefined;
  if (fn === undefined || param?.kind !== 'patternName') return own;
  const references = fn.module.scopes.declaredBy(param)?.references ?? [];
  return references.flatMap(keptAt).map((node) => ({ node, module: fn.module }));
}

/** What a name stands for, also where another file of the tests has it: `import { seen } from './setup'`. */
function keeperOf(root: Node, { ev, module }: At & { readonly ev: Evaluation }): Keeper | undefined {
  const binding = root.kind === 'name' ? module.scopes.bindingOf(root) : undefined;
  if (binding?.owner.kind !== 'import') return binding && { binding, module };
  const { source, specifiers } = binding.owner;
  const from = ev.world.resolve(module, source.value);
  const exported = from?.exports.get(specifiers.find(({ local }) => local === binding.declaration)?.imported ?? '');
  if (from === undefined || exported === undefined || !isTest(from)) return undefined;
  const own = bindingExported(exported, from);
  return own?.owner.kind === 'variable' ? { binding: own, module: from } : undefined;
}

interface Keeper {
  readonly binding: Binding;
  readonly module: SourceModule;
}

/** Whether it is the headers of requests that were captured, and of nothing else: `seen = request.headers`, `seen.push(Object.fromEntries(request.headers))`. */
export function isHeadersKept(node: Node, at: At & { readonly ev: Evaluation }): boolean {
  const { module } = at;
  if (isHeaders(node, module) || isNamedHeaders(node, module)) return true;
  const kept = placesKept(node, at);
  return kept.length > 0 && kept.every((each) => isHeaders(each.node, each.module));
}

/** `const sent = init.headers`, `const { headers: sent } = init`: the same by another name. */
function isNamedHeaders(node: Node, module: SourceModule): boolean {
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  if (binding?.owner.kind !== 'variable' || binding.owner.init === undefined || binding.owner.declares !== 'const') return false;
  const { parent } = binding.declaration;
  return parent === binding.owner ? isHeaders(binding.owner.init, module) : parent?.kind === 'patternProperty' && parent.name === 'headers';
}

/** By what stands there: `init.headers`, and what copies them. */
const isHeaders = (node: Node, { text }: SourceModule): boolean =>
  (node.kind === 'member' ? node.property : node.kind === 'name' && node.name) === 'headers' ||
  /^(?:Object\.fromEntries\(.*\bheaders\b|\{ *\.\.\.[\w$.?]*\bheaders *\}$)/is.test(text.slice(node.start, node.end));

/** The calls and assignments by which the variable at the root of an expression gets what a function is given, each once. */
export function placesKeptAt(node: Node, at: At & { readonly ev: Evaluation }): readonly Place[] {
  const { binding, module = at.module } = keeperOf(rootOf(node), at) ?? {};
  const kept = binding?.owner.kind === 'variable' ? binding.references.flatMap((each) => placesAt(each, module, at.ev)) : [];
  const places = kept
    .filter((each) => holdsParam(each.node, each.module))
    .map(({ node: { parent }, module }) => ({ node: parent, module }));
  return [
    ...new Map(places.flatMap((each) => (each.node === undefined ? [] : [[each.node, { node: each.node, module: each.module }]]))).values(),
  ];
}

/** What is put into the variable at the root of an expression, or the part of it that is read: `calls.push([url, init.headers])`, `calls[0][1]`. */
function placesKept(node: Node, { module, ev }: At & { readonly ev: Evaluation }): readonly Place[] {
  const root = rootOf(node);
  const binding = root.kind === 'name' ? module.scopes.bindingOf(root) : undefined;
  const kept = binding?.owner.kind === 'variable' ? binding.references.flatMap((each) => placesAt(each, module, ev)) : [];
  return kept.map((each) => (node.kind === 'member' ? { ...each, node: partNamed(each.node, node) ?? each.node } : each));
}

function partNamed(of: Node, { property, computed }: MemberNode): Node | undefined {
  const index = computed?.kind === 'literal' ? computed.value : undefined;
  if (of.kind === 'array') return typeof index === 'number' ? of.elements[index] : undefined;
  const found = of.kind === 'object' ? of.properties.find((each) => each.kind === 'property' && each.name === property) : undefined;
  return found?.kind === 'property' ? found.value : undefined;
}

const sent = /^(?:config|request(?:\.options)?)\.headers(?:\.|$)/;

/** Whether it is the request that an answer is to, as clients hand it out with that: `(await client.get('/contacts')).config.headers`. */
export function isOfAnswer(node: Node, module: SourceModule): boolean {
  const path: string[] = [];
  let at: Node = node.kind === 'call' ? node.callee : node;
  for (; at.kind === 'member'; at = at.object) path.unshift(at.property ?? '');
  const owner = at.kind === 'name' ? module.scopes.bindingOf(at)?.owner : undefined;
  const answer = owner?.kind === 'variable' && owner.target.kind === 'patternName' ? owner.init : at;
  return answer?.kind === 'await' && sent.test(path.join('.'));
}

/** Whether a server of the tests captured it: `createServer((req, res) => seen.push(req))`. */
export const isCapturedByServer = (node: Node, at: At & { readonly ev: Evaluation }): boolean => isCaptured(node, at, 0, holdsArrived);

type Holds = (node: Node, module: SourceModule) => boolean;

const maxDepth = 8;

/** `calls.some((call) => …)`: one of what was captured. */
function isItem({ parent: fn }: Node, at: At & { readonly ev: Evaluation }, depth: number, holds: Holds): boolean {
  const call = fn?.parent;
  return (
    call?.kind === 'call' && call.args[0] === fn && call.callee.kind === 'member' && isCaptured(call.callee.object, at, depth + 1, holds)
  );
}

/** `const stub = stubFetch(); stub.calls[0]`, `const calls = stubFetch(); calls[0]`: what a function of the tests captured, and gives back. */
function isHandedOut(
  made: Node | undefined,
  name: string | undefined,
  at: At & { readonly ev: Evaluation },
  depth: number,
  holds: Holds,
): boolean {
  const call = made?.kind === 'await' ? made.argument : made;
  if (call?.kind !== 'call') return false;
  return optionsOf(at.ev.evaluate(call.callee, { module: at.module, frame: undefined })).some((fn) => {
    if (fn.type === 'class') return name !== undefined && isKeptByField(fn, name, holds);
    if (fn.type !== 'function') return false;
    const given = returnsOf(fn.node).flatMap((returned) => [returned, ...settlementsOf(returned, fn.module)]);
    return given.some((returned) => {
      const inside: At & { readonly ev: Evaluation } = { ...at, module: fn.module, frame: undefined };
      if (returned.kind === 'name') return isCaptured(returned, inside, depth, holds);
      // `new FakeFetch().respondWith(answer)`: a method that gives its own instance back.
      const own = returned.kind === 'this' ? classAround(returned) : undefined;
      if (own !== undefined) return name !== undefined && isKeptByField({ node: own, module: fn.module }, name, holds);
      if (returned.kind !== 'object') return false;
      const property = returned.properties.find((each) => each.kind === 'property' && each.name === name);
      if (property?.kind === 'property') return isCaptured(property.value, inside, depth, holds);
      // `{ ...stubFetch(), client }`
      const spread = returned.properties.flatMap((each) => (each.kind === 'spread' ? [each.argument] : []));
      const sources = spread.map((each) => (each.kind === 'name' ? takenFrom(each, fn.module) : each));
      return depth < maxDepth && sources.some((each) => isHandedOut(each, name, inside, depth + 1, holds));
    });
  });
}

/** `class FakeClient { paths = []; get(path) { this.paths.push(path); } }`: what a fake of a client, or a server of the tests, keeps of what it is asked for. */
function isKeptByField({ node: fake, module }: Pick<ClassValue, 'node' | 'module'>, name: string, holds: Holds): boolean {
  const isOfClient = ({ parent: fn }: Node): boolean => fn?.kind === 'function' && (isOfFake(fn, module) || isPutInPlace(fn, module));
  const isMeant =
    holds === holdsParam ? isOfClient : (param: Node): boolean => isOfServer(param, module) || isHandedOn(param, fake, module);
  if (holds === holdsArrived && !isTest(module)) return false;
  // `get last() { return this.requests.at(-1); }`
  const getters = membersNamed(fake, module, name).flatMap(({ value }) => (value?.kind === 'function' ? value : []));
  const fields = new Set([name, ...getters.flatMap((each) => returnsOf(each).map(fieldOf))]);
  let isKept = false;
  walk(fake, (each) => {
    if (each.kind === 'member' && each.property !== undefined && fields.has(each.property) && each.object.kind === 'this')
      isKept ||= keptAt(each).some((kept) => holdsParam(kept, module, isMeant));
    return !isKept;
  });
  return isKept;
}

/** `globalThis.fetch = async (url, init) => …`, `mock.method(globalThis, 'fetch', (url, init) => …)` */
function isPutInPlace({ parent }: FunctionNode, { text }: SourceModule): boolean {
  if (parent?.kind === 'assign') return /(?:^|\.)fetch$/.test(text.slice(parent.target.start, parent.target.end));
  return parent?.kind === 'call' && parent.args.some((arg) => arg.kind === 'string' && arg.value === 'fetch');
}

/** The field that a value is read of: `this.requests.at(-1)`. */
function fieldOf(node: Node): string | undefined {
  for (let at: Node | undefined = node; at !== undefined; at = partOf(at))
    if (at.kind === 'member' && at.object.kind === 'this') return at.property;
  return undefined;
}

/** `new URL(url)`, `String(url)`, `Object.fromEntries(headers)`. */
export const isWrapped = ({ args, callee, isNew }: CallNode): boolean =>
  args[0] !== undefined &&
  (isNew ||
    (callee.kind === 'name' && callee.name === 'String') ||
    (callee.kind === 'member' &&
      (callee.property === 'fromEntries' || callee.property === 'entries') &&
      callee.object.kind === 'name' &&
      callee.object.name === 'Object'));

/** `calls.find((call) => …)`, `calls.at(-1)`, `calls.map(({ url }) => url)`: one or some of what is in a list. */
const isPicked = ({ callee }: CallNode): boolean => callee.kind === 'member' && picking.has(callee.property ?? '');
const picking: ReadonlySet<string> = new Set([...taking, 'filter', 'map', 'splice']);

/** What a value is taken from, as it stands there: an object, what is wrapped, what a name was declared with. */
export function takenFrom(node: Node, module: SourceModule): Expression | undefined {
  if (node.kind === 'name') {
    const owner = module.scopes.bindingOf(node)?.owner;
    return owner?.kind === 'variable' ? owner.init : undefined;
  }
  return partOf(node);
}

function partOf(node: Node): Expression | undefined {
  if (node.kind === 'member') return node.object;
  // `[...urls]`
  if (node.kind === 'array')
    return node.elements[0]?.kind === 'spread' && node.elements.length === 1 ? node.elements[0].argument : undefined;
  if (node.kind !== 'call') return undefined;
  const [first] = node.args;
  return isWrapped(node) ? (first?.kind === 'spread' ? first.argument : first) : node.callee.kind === 'super' ? undefined : node.callee;
}

function rootOf(node: Node): Node {
  let at = node;
  for (let from = partOf(at); from !== undefined; from = partOf(at)) at = from;
  return at;
}

/** What is put into a variable, or the list in it, at one of its places. */
function keptAt(reference: NameNode | MemberNode): readonly Node[] {
  const { parent } = reference;
  const added = parent?.kind === 'member' && adding.has(parent.property ?? '') ? parent.parent : undefined;
  if (added?.kind === 'call') return added.args;
  if (reference.kind === 'member') return parent?.kind === 'assign' && parent.target === reference ? [parent.value] : [];
  // `[url, options] = args`, too.
  const assignment = assignmentOf(reference);
  return assignment === undefined ? [] : [assignment.value];
}

/** Methods of lists and sets that add to them. */
export const adding: ReadonlySet<string> = new Set(['push', 'unshift', 'add']);

/** `calls.push({ url, init })`: whether a call only keeps what a function of a test is given, in something of the test's own. */
export function isCapturing({ callee }: CallNode, arg: Node, module: SourceModule): boolean {
  if (!isTest(module) || callee.kind !== 'member' || !adding.has(callee.property ?? '')) return false;
  const root = rootOf(callee.object);
  const owner = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  return (root.kind === 'this' || owner?.kind === 'variable' || owner?.kind === 'param') && holdsParam(arg, module);
}

/** Where the requests went that a test captured, if the mocks that it got them from say so: of others it may be anybody's. */
export function addressCaptured(node: Node, at: At & { readonly ev: Evaluation }): Value | undefined {
  const mocks = mocksOf(node, at);
  const urls = mocks.flatMap((mock) => (mock === undefined ? [] : (addressOf(mock) ?? [])));
  return urls.length > 0 && urls.length === mocks.length ? choiceOf(urls) : undefined;
}

/** Whether mocks alone handed it out: what a server of a test was asked, the test itself may have asked. */
export const isCapturedOfMocks = (node: Node, at: At & { readonly ev: Evaluation }): boolean =>
  mocksOf(node, at).every((mock) => mock !== undefined);

/** What handed out each request that a test captured. */
function mocksOf(node: Node, at: At & { readonly ev: Evaluation }, depth = 0): readonly (HttpValue | undefined)[] {
  const { ev } = at;
  const { binding, module = at.module } = keeperOf(rootOf(node), at) ?? {};
  if (binding?.owner.kind !== 'variable' || depth > maxDepth) return [];
  const { init } = binding.owner;
  const kept = binding.references.flatMap((each) => placesAt(each, module, ev)).filter((each) => holdsParam(each.node, each.module));
  if (kept.length === 0) return init === undefined ? [] : mocksOf(init, { ...at, module }, depth + 1);
  return kept.map((each) => mockIn(ev.evaluate(each.node, { module: each.module, frame: undefined })));
}

/** The whole address that a mock answers for. */
function addressOf({ base, url, join = 'slash', mock }: HttpValue): Value | undefined {
  const whole = url === undefined || mock?.expects !== undefined ? undefined : joinUrl(base, url, join);
  return whole !== undefined && optionsOf(whole).every(isKnown) ? whole : undefined;
}

/** What a variable of the environment holds is an address where the mock is for nothing else. */
function isKnown(value: Value): boolean {
  const [first] = partsOf(value);
  return isAbsolute(flat(partsOf(value))) || (first !== undefined && 'unknownPart' in first && first.unknownPart.type === 'env');
}

function holdsParam(node: Node, module: SourceModule, isMeant: (param: Node) => boolean = () => true, depth = 0): boolean {
  let found = false;
  walk(node, (each) => {
    const owner = each.kind === 'name' ? module.scopes.bindingOf(each)?.owner : undefined;
    if (owner?.kind === 'param' && isMeant(owner) && !isOfRouter(owner)) found = true;
    // `const url = new URL(input); seen.push(url.pathname)`
    if (owner?.kind === 'variable' && owner.init !== undefined && functionAround(owner) === functionAround(node) && depth < maxDepth)
      found ||= holdsParam(owner.init, module, isMeant, depth + 1);
    // What nock's functions have of the request.
    if (each.kind === 'member' && each.property === 'req' && each.object.kind === 'this') found = true;
    return each.kind !== 'function';
  });
  return found;
}

/** `get: (path, handler) => …`: what takes routes is told which ones there are, and asked for none. */
const isOfRouter = ({ parent: fn }: Node): boolean =>
  fn?.kind === 'function' &&
  fn.params.some(({ target }) => target.kind === 'patternName' && /^_?(?:\w*[hH]andlers?|controller)$/.test(target.name));

/** What a server calls in a class hands on what came to a method of it: `this.record(req)`. */
function isHandedOn(param: Node, of: Node, module: SourceModule): boolean {
  const fn = param.parent;
  const method = fn?.kind === 'function' && fn.parent?.kind === 'classMember' ? fn.parent.name : undefined;
  const index = fn?.kind === 'function' ? fn.params.findIndex((each) => each === param) : -1;
  let found = false;
  walk(of, (each) => {
    const callee = each.kind === 'call' ? each.callee : undefined;
    const arg = each.kind === 'call' ? each.args[index] : undefined;
    if (callee?.kind === 'member' && callee.object.kind === 'this' && callee.property === method && arg !== undefined)
      found ||= holdsArrived(arg, module);
    return !found;
  });
  return method !== undefined && found;
}

const holdsArrived: Holds = (node, module) => holdsParam(node, module, (param) => isOfServer(param, module));
