/** Headers that callbacks set: interceptors, hooks, `prepareHeaders`, `beforeSend`. */
import { forAllCallers } from '../evaluate/calls/all-callers.ts';
import { asArguments } from '../evaluate/calls/callers.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { returnsOf } from '../evaluate/calls/returns.ts';
import { classAround } from '../evaluate/calls/callees.ts';
import { readsOf } from '../evaluate/calls/by-name.ts';
import { answersAround } from '../evaluate/language/guards.ts';
import { placesOfField } from '../evaluate/classes/class-index.ts';
import { escaped } from '../find/words/literals.ts';
import { Shape } from '../evaluate/values/shape.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import { heirsOf, superclassOf } from '../evaluate/classes/subclasses.ts';
import { additionsAt, headersOf, setBy } from '../evaluate/writes/writes.ts';
import { type ClassValue, type FunctionValue, type ObjectValue, optionsOf, unknown, type Value } from '../evaluate/values/values.ts';
import type { CallNode, ClassNode, Expression, FunctionNode, NameNode, Node } from '../syntax/tree.ts';
import { mapping } from '../syntax/item-methods.ts';

/**
 * What a callback does to the headers it is given.
 * @param index which of its parameters holds them
 * @param path from that parameter to the headers: `['headers']` for axios' config, `[]` for the headers themselves
 * @param setters methods that set a header on the parameter itself: `setRequestHeader`
 * @param handed what it hands on in the place of what it is given, where that is not what it returns
 * @returns undefined where the callback is not known
 */
export function headersSetBy(
  ev: Evaluation,
  callback: Value | undefined,
  index: number,
  path: readonly string[],
  setters: readonly string[] = [],
  handed?: readonly Expression[],
): ObjectValue | undefined {
  if (callback?.type !== 'function') return undefined;
  const { node, module, frame } = callback;
  if (node.params[index] === undefined) return undefined;
  const at: At = { module, frame };
  const shape = headersWritten(ev, callback, index, path, setters);
  for (const returned of handed ?? returnsOf(node)) {
    const whole = ev.evaluate(returned, at);
    shape.spread(path.reduce<Value>((found, name) => ev.member(found, name, returned, at), whole));
    // `new Request(request, { headers })`
    for (const option of optionsOf(whole)) if (option.type === 'http') for (const headers of option.headers) shape.spread(headers);
  }
  const { entries, unknown: open } = shape.end();
  // What the callback was given comes back in what it returns: that is not news.
  return {
    type: 'object',
    node,
    module,
    entries,
    unknown: open.filter(({ type }) => type !== 'param' && type !== 'unknown' && type !== 'method'),
  };
}

/** What it writes into them alone, whatever it returns. */
export function headersWritten(
  ev: Evaluation,
  callback: FunctionValue,
  index: number,
  path: readonly string[],
  setters: readonly string[] = [],
): Shape {
  const shape = new Shape();
  for (const { place, at } of placesGiven(ev, callback, index, path)) {
    const added = additionsAt(ev, place, at);
    shape.write(added.entries);
    const { parent } = place;
    for (const more of joinedTo(place).map((each) => ev.evaluate(each, at))) shape.spread(headersOf(more, true) ?? more);
    for (const pair of pushedTo(place)) shape.spread(headersOf(ev.evaluate(pair, at), true) ?? unknown(pair, at.module));
    if (parent?.kind === 'assign' && parent.target === place) shape.spread(ev.evaluate(parent.value, at));
    if (parent?.kind === 'member' && parent.object === place && setters.includes(parent.property ?? '') && parent.parent?.kind === 'call') {
      shape.write(setBy(ev, parent.parent, at).entries);
    }
  }
  return shape;
}

/** `headers.concat({ … })`, as AxiosHeaders has it: they take the place of those before. */
function joinedTo(place: Node): readonly Node[] {
  const { parent } = place;
  const call = parent?.kind === 'member' && parent.object === place && parent.property === 'concat' ? parent.parent : undefined;
  return call?.kind === 'call' && call.callee === parent ? call.args.map((arg) => (arg.kind === 'spread' ? arg.argument : arg)) : [];
}

/** `headers.push(['x-api-key', key])`, where headers are a list. */
function pushedTo(place: Node): readonly Node[] {
  const { parent } = place;
  const call = parent?.kind === 'member' && parent.object === place && parent.property === 'push' ? parent.parent : undefined;
  return call?.kind === 'call' && call.callee === parent ? call.args.filter(({ kind }) => kind === 'array') : [];
}

/**
 * What a callback puts in place of a part of the request that it is given: `config.baseURL = …`, `({ ...config, baseURL: … })`.
 * @param index which of its parameters holds the request
 * @param name of the part, or the names that lead there with dots between
 */
export function replacedBy(ev: Evaluation, callback: Value | undefined, index: number, name: string): Value[] {
  if (callback?.type !== 'function') return [];
  const { node, module, frame } = callback;
  const at: At = { module, frame };
  const written = placesGiven(ev, callback, index, name.split('.')).flatMap(({ place, at }) => {
    let whole = place;
    while (whole.parent?.kind === 'member') whole = whole.parent;
    const { parent } = whole;
    if (parent?.kind !== 'assign' || parent.target !== whole) return [];
    return [whole === place && parent.operator === '=' ? ev.evaluate(parent.value, at) : unknown(parent, at.module, 'assigned')];
  });
  const returned = returnsOf(node).flatMap((expression) =>
    optionsOf(ev.evaluate(expression, at)).flatMap((option) =>
      option.type === 'object' ? option.entries.filter((entry) => entry.name === name).map((entry) => entry.value()) : [],
    ),
  );
  return [...written, ...returned];
}

/**
 * What a callback puts before a part of the request that it is given: `request.url = base + request.url`.
 * @returns undefined where it also puts something else there, or nothing
 */
export function prefixedBy(ev: Evaluation, callback: Value, index: number, name: string): Value | undefined {
  if (callback.type !== 'function') return undefined;
  const written = placesGiven(ev, callback, index, [name]).flatMap(({ place, at }) => {
    const { parent } = place;
    if (parent?.kind !== 'assign' || parent.target !== place) return [];
    const [own, whole] = [place, parent.value].map(({ start, end }) => at.module.text.slice(start, end));
    const value = ev.evaluate(parent.value, at);
    // Where the path begins with a slash.
    const isAsked = answersAround(parent).every(({ test }) => at.module.text.slice(test.start, test.end).includes(own ?? ''));
    const isBefore = value.type === 'text' && isAsked && (whole?.endsWith(`+ ${own}`) === true || whole?.endsWith(`\${${own}}\``) === true);
    return [isBefore ? { ...value, parts: value.parts.slice(0, -1) } : unknown(parent, at.module, 'assigned')];
  });
  return written.length === 1 && written[0]?.type === 'text' ? written[0] : undefined;
}

/**
 * What a call registers: several functions where it is made for each item of a list, as `hooks.forEach((hook) => client.use(hook))` is.
 * @param at the way to the call, which says what the list is
 */
export function registeredBy(ev: Evaluation, { args: [arg], ...call }: CallNode, at: At): readonly Value[] {
  if (arg === undefined || arg.kind === 'spread') return [];
  const fn = functionAround(call);
  const each = fn?.parent;
  if (
    fn === undefined ||
    each?.kind !== 'call' ||
    each.args[0] !== fn ||
    each.callee.kind !== 'member' ||
    !mapping.has(each.callee.property ?? '')
  )
    return optionsOf(ev.evaluate(arg, at));
  return optionsOf(ev.evaluate(each.callee.object, at)).flatMap((list): readonly Value[] => {
    if (list.type !== 'list' || list.isOpen) return [list.type === 'param' ? list : unknown(arg, at.module)];
    return list.items.flatMap((item) =>
      optionsOf(ev.evaluate(arg, { ...at, frame: { owner: fn, args: asArguments([item]), outer: at.frame } })),
    );
  });
}

function functionAround({ parent }: Pick<Node, 'parent'>): FunctionNode | undefined {
  let at = parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at;
}

/** Names of what only shows what it is given. */
const showing = /^(?:console|winston|pino|debug\w*|\w*log(?:ger|ging)?)$/i;

/**
 * Whether a callback, or the value in its place, is code that was not read, or passes the request to such code: the request is unknown afterwards.
 * @param index which of its parameters holds the request
 */
export function isGivenAway(ev: Evaluation, callback: Value | undefined, index: number): boolean {
  if (callback === undefined || callback.type === 'literal') return false;
  if (callback.type !== 'function') return (callback.type === 'external' || callback.type === 'unknown') && !isShowing(callback);
  const { node, module, frame } = callback;
  const at: At = { module, frame };
  const isPassed = placesGiven(ev, callback, index, []).some(({ place, at }) =>
    calleesOf(ev, place, at).some((callee) => callee.type === 'external' && callee.source !== '' && !isShowing(callee)),
  );
  return isPassed || returnsOf(node).some((returned) => optionsOf(ev.evaluate(returned, at)).some(hasOthers));
}

/** Whether a function only shows what it is given. */
export const isShowing = (value: Value): boolean =>
  value.type === 'external' && [value.source, ...value.path].some((name) => showing.test(name));

/** Whether more is spread into an object than the request itself. */
const hasOthers = (value: Value): boolean =>
  value.type === 'object' && value.unknown.some(({ type }) => type === 'external' || type === 'unknown');

/** The same places in a callback, and in all functions that it hands what it is given on to, whole: `(config) => sign(config, key)`. */
export function placesGiven(
  ev: Evaluation,
  { node, module, frame }: FunctionValue,
  index: number,
  path: readonly string[],
  seen: Set<FunctionNode> = new Set(),
): { readonly place: Node; readonly at: At }[] {
  const target = node.params[index]?.target;
  if (target === undefined || seen.has(node)) return [];
  seen.add(node);
  const at = { module, frame };
  const handed = placesOf(target, [], module).flatMap((place) =>
    calleesOf(ev, place, at).flatMap((callee) => {
      const call = place.parent;
      if (callee.type !== 'function' || call?.kind !== 'call' || !isOnlyCalledOnce(ev, callee)) return [];
      const inner = {
        ...callee,
        frame: { owner: callee.node, args: asArguments(ev.args(call, at)), self: callee.self, outer: callee.frame },
      };
      return placesGiven(
        ev,
        inner,
        call.args.findIndex((arg) => arg === place),
        path,
        seen,
      );
    }),
  );
  return [...placesOf(target, path, module).map((place) => ({ place, at })), ...handed];
}

/**
 * Whether a function has nothing else to do than what one call hands to it, or one call that it is handed to: what it does to that, it would do to
 * what others give, too.
 */
export function isOnlyCalledOnce(ev: Evaluation, { node, module }: Pick<FunctionValue, 'node' | 'module'>): boolean {
  const { parent } = node;
  if (parent?.kind === 'call') return true;
  // What makes it stands for it: `const keyed = (key) => (request) => request.set(…)`.
  const maker = parent?.kind === 'function' || parent?.kind === 'return' ? functionAround(node) : undefined;
  if (maker !== undefined) return isOnlyCalledOnce(ev, { node: maker, module });
  const around = classAround(node);
  if ((parent?.kind === 'classMember' && around !== undefined) || parent?.kind === 'property') {
    const name = parent.name ?? '';
    const sought = new RegExp(String.raw`(?<!\bthis)(?:\?)?\.\s*${escaped(name)}\b|\[\s*['"\x60]${escaped(name)}['"\x60]`, 'g');
    // What a test asks it for is told there. Few files have the name, and to look for it alone takes a hundredth of the time.
    const others = [...ev.world.modules.values()].filter((each) => each.text.includes(name) && !isTest(each));
    const all = others.reduce((count, { text }) => count + Array.from(text.matchAll(sought)).length, 0);
    const outside = all - readsOfPackages(ev, name);
    if (around === undefined || parent.kind === 'property') return outside === 1;
    const line = [...ancestry(ev, { type: 'class', node: around, module, frame: undefined }), ...heirsOf(ev, around)];
    const inside = line.flatMap((of) => placesOfField(of.node, of.module, name).flatMap(({ places }) => places));
    return outside + inside.length === 1;
  }
  const name = parent?.kind === 'variable' && parent.target.kind === 'patternName' ? parent.target : node.name;
  if (name === undefined || module.exports.has(name.name)) return false;
  return module.scopes.declaredBy(name)?.references.length === 1;
}

/** How often a name is read of what a package gives: `jwt.sign(claims)` is no call of a signer of the project. */
const readsOfPackages = (ev: Evaluation, name: string): number =>
  (readsOf(ev.world, name) ?? []).filter(({ node, module }) => {
    if (node.kind !== 'member' || isTest(module)) return false;
    const options = optionsOf(ev.evaluate(node.object, { module, frame: undefined }));
    return options.length > 0 && options.every((option) => option.type === 'external' && /^[^./]/.test(option.source));
  }).length;

/** A class and those that it inherits from, as far as they are read. */
function ancestry(ev: Evaluation, of: ClassValue, line: readonly ClassValue[] = []): readonly ClassValue[] {
  const above = superclassOf(ev, of);
  const isNew = above?.type === 'class' && ![...line, of].some(({ node }) => node === above.node);
  return isNew ? ancestry(ev, above, [...line, of]) : [...line, of];
}

/** What something is an argument of: of `this.sign(config)` in a class that others inherit, the method of the one that asks, or of those below it. */
function calleesOf(ev: Evaluation, place: Node, at: At): readonly Value[] {
  const { parent } = place;
  if (parent?.kind !== 'call' || !parent.args.some((arg) => arg === place)) return [];
  const { callee } = parent;
  const all = optionsOf(methodsGiven(ev, callee, at));
  const of = callee.kind === 'member' && callee.object.kind === 'this' ? askingFor(ev, callee, at) : undefined;
  if (of === undefined) return all;
  const classes = new Set<Node | undefined>([of, ...heirsOf(ev, of).map(({ node }) => node)]);
  const own = all.filter((value) => value.type === 'function' && classes.has(classAround(value.node)));
  return own.length === 0 ? all : own;
}

/** `constructor(auth) { client.interceptors.request.use((config) => auth.sign(config)); }`: whoever makes the client says whose method that is. */
function methodsGiven(ev: Evaluation, callee: Node, at: At): Value {
  const whole = ev.evaluate(callee, at);
  if (callee.kind !== 'member' || callee.property === undefined) return whole;
  const { object, property } = callee;
  const owners = forAllCallers(ev, at.frame, (frame) => ev.evaluate(object, { module: at.module, frame }));
  return ev.member(owners, property, callee, at);
}

/** The class of the instance that asks, on the way to a request: one that inherits from the class around a place. */
function askingFor(ev: Evaluation, place: Node, { frame }: At): ClassNode | undefined {
  const of = classAround(place);
  const heirs = new Set(of === undefined ? [] : heirsOf(ev, of).map(({ node }) => node));
  for (let at = frame; at !== undefined; at = at.outer) {
    const found = [at.self?.type === 'instance' ? at.self.of.node : undefined, classAround(at.owner)].find(
      (each) => each !== undefined && heirs.has(each),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Every place that names the headers: `config.headers`, or `headers` of `({ headers }) => …`. */
function placesOf(target: Node, path: readonly string[], module: At['module']): Node[] {
  const references = (pattern: Node): readonly NameNode[] =>
    pattern.kind === 'patternName' ? (module.scopes.declaredBy(pattern)?.references ?? []) : [];
  if (target.kind === 'objectPattern') {
    const [name, ...rest] = path;
    const property = target.properties.find((each) => each.name === name);
    return property === undefined ? [] : placesOf(property.target, rest, module);
  }
  let places: Node[] = [...references(target)];
  if (path.length === 0) return places;
  for (const name of path) {
    places = places
      .flatMap((place) => standingFor(place, module))
      .flatMap((place) =>
        place.parent?.kind === 'member' && place.parent.object === place && place.parent.property === name ? [place.parent] : [],
      );
  }
  return places.flatMap((place) => standingFor(place, module));
}

/** A place, with what names the same, and what is the same where it is chosen: `(state.request ?? state).headers`. */
function standingFor(place: Node, module: At['module']): readonly Node[] {
  const chosen = chosenWith(place, module);
  return [...new Set([place, chosen]), ...namedFrom(chosen, module)];
}

/** What a place is chosen in, beside nothing but what comes of the same: what is set there goes to no other request. */
function chosenWith(place: Node, { scopes }: At['module']): Node {
  const root = rootOf(place);
  const binding = root && scopes.bindingOf(root);
  const isSame = (node: Node): boolean => {
    const other = rootOf(node);
    return binding !== undefined && other !== undefined && scopes.bindingOf(other) === binding;
  };
  let at = place;
  for (let around = at.parent; around !== undefined; [at, around] = [around, around.parent]) {
    const others = othersIn(around, at);
    if (others === undefined || !others.every(isSame)) break;
  }
  return at;
}

/** What a choice may give beside one of its alternatives; undefined where nothing is chosen. */
function othersIn(choice: Node, one: Node): readonly Node[] | undefined {
  if (choice.kind === 'logical') return [choice.left, choice.right].filter((each) => each !== one);
  if (choice.kind !== 'conditional' || choice.test === one) return undefined;
  return [choice.whenTrue, choice.whenFalse].filter((each) => each !== one);
}

function rootOf(node: Node): NameNode | undefined {
  let at = node;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'name' ? at : undefined;
}

/** What names the same: `const headers = options.headers`, `const headers = (options.headers ||= {})`. */
function namedFrom(place: Node, { scopes }: At['module']): readonly NameNode[] {
  const { parent } = place;
  const isFilled = parent?.kind === 'assign' && parent.target === place && /^(?:\|\||\?\?)=$/.test(parent.operator);
  const whole = isFilled ? parent : place;
  const variable = whole.parent;
  if (variable?.kind !== 'variable' || variable.init !== whole || variable.declares !== 'const') return [];
  return variable.target.kind === 'patternName' ? (scopes.declaredBy(variable.target)?.references ?? []) : [];
}
