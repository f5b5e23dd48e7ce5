/** What the language and its platforms bring along: the environment, URLs, headers, texts, lists. */
import type { CallNode, Node, TaggedNode } from '../syntax/tree.ts';
import { isAddress } from './address-writes.ts';
import { givenFrom } from './callers.ts';
import type { LibraryFunction } from './client-rule.ts';
import { combined } from './combined.ts';
import { isEnvironment, wholeOf } from './environments.ts';
import type { At, Evaluation } from './evaluation.ts';
import { openValue, requiredValue } from './exports.ts';
import { given, givenIn } from './given.ts';
import { flattened, itemAt, itemsGiven, joinList, listOf, present } from './list-methods.ts';
import { listed, nameOf, pairsOf } from './listings.ts';
import { fieldsInOrder, fieldsOf } from './instance-fields.ts';
import { merged } from './object-assign.ts';
import { isLeftToDefault } from './operators.ts';
import { rowsFound } from './found-items.ts';
import { filledAt, foldedText } from './placeholders.ts';
import { promisedValue } from './promises.ts';
import {
  filled,
  flat,
  formatted,
  joinUrl,
  mapText,
  recased,
  replaced,
  sliceParts,
  stripped,
  urlPart,
  urlPartNames,
  concatenated,
  wordsOf,
  writtenOut,
} from './text.ts';
import type { SourceModule } from './module.ts';
import { orDefault } from './or-default.ts';
import {
  after,
  choiceOf,
  type Entry,
  type ExternalValue,
  type HttpValue,
  type ListValue,
  type MethodValue,
  nothing,
  type ObjectValue,
  optionsOf,
  partsOf,
  plainText,
  through,
  unknown,
  type Value,
} from './values.ts';
import { Shape } from './shape.ts';
import { bindingIn, configured, defaultGiven, isDefault, prefixOf, refined, schemaCall, transformedCall } from './settings.ts';
import { mayLeadElsewhere } from './replaced-in-variables.ts';
import { asMap, ofAnyName } from './looked-up.ts';
import { shortenedByMap, shortenedByReduce } from './shortened-variables.ts';
import { versionEndIn } from './version-ends.ts';
import { headersOf, setBy } from './writes.ts';

/** Objects that hold the global names. */
export const globalObjects: ReadonlySet<string> = new Set(['globalThis', 'window', 'self', 'global']);

/** The arguments that a program is run with. */
const commandLines = new Set(['process.argv', 'Bun.argv', 'Deno.args']);

/** A property of something that is not the project's own. */
export function builtinMember(ev: Evaluation, value: Value, name: string, node: Node, at: At): Value | undefined {
  if (value.type === 'external') return externalMember(ev, value, name, node, at);
  if (value.type === 'list') {
    if (/^\d+$/.test(name)) return itemAt(value, Number(name)) ?? unknown(node, at.module);
    return { type: 'method', receiver: value, path: [name] };
  }
  const bound = bindingIn(value, name, node, at);
  if (bound !== undefined) return bound;
  if (value.type !== 'text' && value.type !== 'env' && value.type !== 'unknown') return undefined;
  if (name === 'href') return value;
  const part = value.type === 'text' ? urlPart(value, name) : undefined;
  if (part !== undefined) return part;
  // Frameworks give an event with a `fetch` that is called as the global one is.
  if (value.type === 'unknown' && name === 'fetch' && value.node?.kind === 'param')
    return { type: 'external', source: '', path: ['fetch'] };
  return { type: 'method', receiver: value, path: [name] };
}

function externalMember(ev: Evaluation, value: ExternalValue, name: string, node: Node, at: At): Value | undefined {
  const { module } = at;
  const { source, path } = value;
  const whole = wholeOf(value);
  if (isEnvironment(ev, value) && name !== 'get') {
    const set: Value = { type: 'env', name: `${prefixOf(value)}${name}`, node, module };
    return orDefault(set, combined(ev.rules).defaultOf(ev, set.name, node, at) ?? nothing);
  }
  if (commandLines.has(whole) && /^\d+$/.test(name)) return given(`${whole}[${name}]`, node, module);
  const read = combined(ev.rules).reads.get(`${source}:${name}`);
  if (read !== undefined) return read(ev, node, at);
  const [first, ...more] = path;
  if (source === '' && first !== undefined && more.length === 0 && globalObjects.has(first))
    return { type: 'external', source: '', path: [name], isOfGlobal: true };
  return undefined;
}

const first: LibraryFunction = (_ev, [value]) => value;
/** What has nothing to be encoded stays as it is. */
const encoded: LibraryFunction = (_ev, [value]) =>
  value?.type === 'text' && value.parts.every((part) => 'unknownPart' in part || /^[\w.~-]*$/.test(part.text)) ? value : undefined;
const asUrl: LibraryFunction = (_ev, [url, base]) => {
  const made = joinUrl(base, url, 'resolve');
  return made && writtenOut(made);
};
const joinedPath: LibraryFunction = (_ev, args) =>
  args.reduce<Value | undefined>((before, each) => joinUrl(before, each, 'slash'), undefined);

/** An object of a URL's parts, to which more can be added. */
const parsedUrl: LibraryFunction = (_ev, [url], node, { module }) => {
  if (url === undefined) return undefined;
  const entry = (name: string, value: Value): Entry => ({ name, key: undefined, node, module, valueNode: undefined, value: () => value });
  // Of what is not known as a whole, they are the parts that a request is given again.
  const open = (name: string): Value => (isAddress(url) ? { type: 'method', receiver: url, path: [name] } : unknown(node, module));
  const parts = urlPartNames.map((name) => entry(name, urlPart(url, name) ?? open(name)));
  return { type: 'object', node, module, entries: [entry('href', url), ...parts], unknown: [] };
};

/** By name, for globals; by `module:name` for what is imported. */
const functions: Readonly<Record<string, LibraryFunction>> = {
  String: first,
  'Object.freeze': first,
  'Object.seal': first,
  'Promise.resolve': first,
  'Promise.all': (_ev, [items]) => (items?.type === 'list' ? items : undefined),
  structuredClone: first,
  encodeURIComponent: encoded,
  'Object.assign': (ev, args, node, at) =>
    merged(
      args.map((each, index) => (index === 0 ? each : fieldsOf(ev, each, at))),
      node,
      at,
    ),
  'Object.values': (ev, [object], _node, at) => listed(object && fieldsInOrder(ev, object, at), at.module, (entry) => entry.value()),
  'Object.keys': (_ev, [object], _node, { module }) => listed(object, module, nameOf),
  'Object.entries': (ev, [object], _node, at) => object && pairsOf(fieldsInOrder(ev, object, at), at.module),
  'Object.fromEntries': (ev, [list], node, at) => (list && headersOf(list)) ?? shortenedByMap(ev, node, at),
  Headers: (_ev, [init], node, at) => madeOf(init, node, at),
  Map: (_ev, [pairs], node, at) => asMap(madeOf(pairs, node, at), pairs),
  Promise: (ev, [executor], node) => promisedValue(ev, executor, node),
  URL: asUrl,
  'url:URL': asUrl,
  'url:parse': parsedUrl,
  'url:urlToHttpOptions': parsedUrl,
  'url:resolve': (_ev, [base, url]) => joinUrl(base, url, 'resolve'),
  'util:format': (_ev, [format, ...args]) => format && formatted(format, args),
  'path:join': joinedPath,
  'path:resolve': joinedPath,
  'path:posix.join': joinedPath,
  'path/posix:join': joinedPath,
  ...Object.fromEntries(
    ['process.argv.slice', 'process:argv.slice', 'Bun.argv.slice'].map((name): [string, LibraryFunction] => [
      name,
      (_ev, _args, node, { module }) => given('process.argv', node, module),
    ]),
  ),
  'Deno.env.get': (_ev, [name], node, { module }) => {
    const text = name === undefined ? undefined : plainText(name);
    return text === undefined ? undefined : { type: 'env', name: text, node, module };
  },
  'module:createRequire': () => ({ type: 'external', source: '', path: ['require'] }),
  require: (ev, [specifier], node, at) => {
    const text = specifier === undefined ? undefined : plainText(specifier);
    const from = { node, module: at.module, rest: undefined };
    return text === undefined ? openValue(ev, at.module, node) : requiredValue(ev, at.module, text, from);
  },
};

/** `new Headers(init)`, `new Map(pairs)`: empty where nothing is given. */
function madeOf(init: Value | undefined, node: Node, { module }: At): Value | undefined {
  const empty: ObjectValue = { type: 'object', node, module, entries: [], unknown: [] };
  if (init?.type === 'method' && init.receiver.type === 'http') {
    // `new Headers(init.headers)` of a request that a mock receives: what is read of it is read of that.
    if (init.receiver.mock !== undefined) return init;
    if (init.path.join('.') === 'headers') return headersOfRequest(init.receiver, node, module);
  }
  if (init === undefined) return empty;
  return choiceOf(
    optionsOf(init).map((option) => (option.type === 'literal' ? empty : (headersOf(option) ?? { ...empty, unknown: [option] }))),
  );
}

/** `new Headers(request.headers)` */
function headersOfRequest({ headers, provenance }: HttpValue, node: Node, module: SourceModule): Value {
  const shape = new Shape(node);
  for (const each of headers) shape.spread(choiceOf(optionsOf(after(each, provenance)).map((option) => headersOf(option) ?? option)));
  return { type: 'object', node, module, ...shape.end() };
}

/** What is known of a function of a library or of the language: what it makes of what it is given. */
export function knownFunction(ev: Evaluation, { source, path }: ExternalValue): LibraryFunction | undefined {
  const name = source === '' ? path.join('.') : `${source}:${path.join('.')}`;
  return Object.hasOwn(functions, name) ? functions[name] : combined(ev.rules).functions.get(name);
}

/** A call of something that no rule of the clients knows. */
export function builtinCall(ev: Evaluation, callee: Value, node: CallNode, at: At): Value | undefined {
  if (callee.type === 'external') {
    const made = knownFunction(ev, callee)?.(ev, ev.args(node, at), node, at);
    // `memoize(fn)` is no longer just what it is given.
    return made?.type === 'function' ? through(made, node, at.module) : made;
  }
  return callee.type === 'method' ? methodCall(ev, callee, node, at) : undefined;
}

function methodCall(ev: Evaluation, callee: MethodValue, node: CallNode, at: At): Value | undefined {
  const { receiver, path } = callee;
  const [name, ...more] = path;
  if (name === undefined) return undefined;
  if (receiver.type === 'unknown' && tidying.has(path.at(-1) ?? '')) {
    const given: Value = more.length === 0 ? receiver : { ...callee, path: path.slice(0, -1) };
    if (isLeftToDefault(given)) return bare(textMethod(given, path.at(-1) ?? '', node, ev.args(node, at)));
  }
  if (receiver.type === 'object' && more.length > 0) return transformedCall(ev, callee, node, at);
  if (more.length > 0) return receiver.type === 'unknown' ? foldedText(ev, receiver, node, at) : undefined;
  const args = ev.args(node, at);
  switch (receiver.type) {
    case 'function':
      // What is bound beside `this` would come before the arguments of the calls: not followed.
      if (name === 'bind') return args.length > 1 ? undefined : receiver;
      return name === 'call' ? ev.apply(receiver, givenFrom(args, 1), node, at) : undefined;
    case 'list':
      return listMethod(ev, receiver, name, args, node, at) ?? receiver.given;
    case 'object':
      // Headers that never change give back what they are with one more; what keeps settings gives back nothing.
      if (name === 'set' || name === 'append')
        return receiver.keeps === undefined ? extendedBy(receiver, setBy(ev, node, at)) : { type: 'literal', value: undefined };
      if (name === 'entries' && args.length === 0) return pairsOf(receiver, at.module);
      if (name === 'values' && receiver.isMap === true) return listed(receiver, at.module, (entry) => entry.value());
      if (name === 'get' && args[0] !== undefined) return got(ev, receiver, args, node, at);
      return schemaCall(ev, receiver, name, args, node, at);
    case 'text':
    case 'env': {
      const isReplaced = receiver.type === 'text' && (name === 'replace' || name === 'replaceAll');
      const templated = isReplaced ? filledAt(ev, receiver, args[0], node, at) : undefined;
      if (templated !== undefined) return templated;
      if (name === 'split') return wordsOf(receiver, node.args[0], at.module);
      return bare(textMethod(receiver, name, node, args)) ?? refined(ev, receiver, name, args, node, at);
    }
    case 'unknown':
      // What a schema puts in place of what is missing.
      if (isDefault(name) && args.length === 1) return defaultGiven(ev, args[0], node, at);
      return (
        configured(ev, name, args, node, at) ??
        mapped(ev, receiver, node, at) ??
        foldedText(ev, receiver, node, at) ??
        shortenedByReduce(ev, node, at)
      );
    default:
      return undefined;
  }
}

/** `String.raw` leaves escapes alone: it is the text itself; libraries say what their tags make of it. */
export function taggedText(ev: Evaluation, node: TaggedNode, at: At): Value {
  const tag = ev.evaluate(node.tag, at);
  const name = tag.type === 'external' ? `${tag.source}:${tag.path.join('.')}` : '';
  const isText = name === ':String.raw' || combined(ev.rules).tags.has(name);
  return isText ? ev.evaluate(node.template, at) : unknown(node, at.module, 'syntax');
}

const extendedBy = (object: ObjectValue, { entries, unknown: open }: Pick<ObjectValue, 'entries' | 'unknown'>): ObjectValue => ({
  ...object,
  entries: [...object.entries, ...entries],
  unknown: [...object.unknown, ...open],
});

function listMethod(ev: Evaluation, list: ListValue, name: string, [first]: readonly Value[], node: CallNode, at: At): Value | undefined {
  if (name === 'flat') return flattened(list);
  if (name === 'filter' && first?.type === 'external' && first.path.join('.') === 'Boolean') return present(list);
  const found = rowsFound(ev, list, name, first, node, at);
  if (found !== undefined || name === 'filter') return found;
  return name === 'join' ? joinList(list, first) : (mapped(ev, list, node, at) ?? foldedText(ev, list, node, at));
}

/** What `items.map(fn)` and `items.flatMap(fn)` give: of items that are not known, as many of what a function of the project makes of one. */
export function mapped(ev: Evaluation, receiver: Value, node: CallNode, at: At): Value | undefined {
  const method = node.callee.kind === 'member' ? node.callee.property : undefined;
  if (method !== 'map' && method !== 'flatMap') return undefined;
  const [fn] = ev.args(node, at);
  const isKnown = receiver.type === 'list' && !receiver.isOpen;
  const given = receiver.type === 'list' ? itemsGiven(receiver, node, at.module) : [receiver];
  const known = fn?.type === 'external' && isKnown ? knownFunction(ev, fn) : undefined;
  if (fn === undefined || (fn.type !== 'function' && known === undefined)) return undefined;
  const items = given.map((item) =>
    fn.type === 'function' ? ev.apply(fn, [item], node, at) : (known?.(ev, [item], node, at) ?? unknown(node, at.module)),
  );
  const list = listOf(items, receiver, at.module);
  return method === 'map' ? list : flattened(list);
}

function got(ev: Evaluation, receiver: ObjectValue, [key, otherwise]: readonly Value[], node: CallNode, at: At): Value | undefined {
  const name = key && plainText(key);
  if (name === undefined) return key && ofAnyName(receiver, key, node, at);
  // Letter case does not count in the names of headers; in a Map, which reads the same, it hardly ever differs.
  const spellings = new Set(receiver.entries.flatMap((entry) => (entry.name?.toLowerCase() === name.toLowerCase() ? [entry.name] : [])));
  // `config.get('messaging.url')`
  const values =
    spellings.size === 0
      ? [name.split('.').reduce<Value>((value, each) => ev.member(value, each, node, at), receiver)]
      : [...spellings].map((spelling) => ev.member(receiver, spelling, node, at));
  const { keeps } = receiver;
  if (keeps === undefined) return choiceOf(values);
  // `settings.get('url', 'https://…')`
  const set: Value = { type: 'method', receiver: keeps, path: [name] };
  const known = values.flatMap(optionsOf).map((each) => (isLeftOpen(each) ? set : each));
  return choiceOf(otherwise === undefined ? known : [...known, otherwise]);
}

/** Whether nothing says what a setting is, neither its default nor what sets it. */
const isLeftOpen = (each: Value): boolean =>
  each.type === 'unknown' ? givenIn(each) === undefined && each.why !== 'assigned' : each.type === 'literal' && each.value === undefined;

/** Methods after which a text still says the same. */
const keeping = new Set(['toString', 'valueOf', 'normalize']);
/** Methods that take blanks away, by the ends at which they do. */
const trimming: Readonly<Record<string, readonly RegExp[]>> = { trim: [/^\s+/, /\s+$/], trimStart: [/^\s+/], trimEnd: [/\s+$/] };

/** Methods that change letter case: the names of methods and headers, mostly, where it does not count. */
const casing: Readonly<Record<string, (text: string) => string>> = {
  toUpperCase: (text) => text.toUpperCase(),
  toLowerCase: (text) => text.toLowerCase(),
};

/** What is not known says the same after these, too, where a default speaks for it: `(options.base || '…').replace(/\/$/, '')`. */
const tidying = new Set([...keeping, ...Object.keys(trimming), ...Object.keys(casing), 'replace', 'slice', 'substring']);

/** Of a text that is nothing but what is not known this: it may be missing, as in `env.URL?.trim() ?? '…'`. */
function bare(value: Value | undefined): Value | undefined {
  const [part, ...more] = value?.type === 'text' ? value.parts : [];
  return part !== undefined && 'unknownPart' in part && more.length === 0 ? part.unknownPart : value;
}

function textMethod(receiver: Value, name: string, node: CallNode, args: readonly Value[]): Value | undefined {
  if (keeping.has(name)) return receiver;
  const trimmed = Object.hasOwn(trimming, name) ? trimming[name] : undefined;
  if (trimmed !== undefined) return receiver.type === 'text' ? trimmed.reduce<Value>(stripped, receiver) : receiver;
  const inCase = Object.hasOwn(casing, name) ? casing[name] : undefined;
  if (inCase !== undefined) return recased(receiver, inCase);
  if (name === 'concat') return concatenated([receiver, ...args]);
  if (name === 'slice' || name === 'substring') return cutText(receiver, args);
  if (name !== 'replace' && name !== 'replaceAll') return undefined;
  const [pattern] = node.args;
  const [search, by] = args;
  const version = versionEndIn(node);
  if (version?.literal.kind === 'literal') return stripped(receiver, version.form);
  if (pattern?.kind === 'literal' && typeof pattern.value === 'object' && pattern.value !== null)
    return by === undefined ? undefined : replacedByPattern(receiver, pattern.value, by);
  const text = search === undefined ? undefined : plainText(search);
  // What stands for something in a replacement is not followed: `$&`.
  if (text === undefined || by === undefined || optionsOf(by).some((each) => plainText(each)?.includes('$') === true)) return undefined;
  return mayLeadElsewhere(receiver, text, by) ? undefined : replaced(receiver, text, by, name === 'replaceAll');
}

/** Slashes at an end, as a pattern. */
const slashes = /^(?:\\?\/[+*]?\$|\^\\?\/[+*]?|\[(?:\\s|\\?\/)+\][+*]?\$)$/;

/** Blanks, quotes and the mark of an order of bytes, which no address has, as a pattern. */
const cleaning = /^\^?(?:\\s|\\uFEFF|["'`]|\[(?:\\s|\\uFEFF|["'`])+\])[+*]?\$?$/i;
const isUnclean = (option: Value): boolean => /[\s\uFEFF"'`]/.test(flat(partsOf(option)));

/** Slashes at one end or both that are trimmed, what is cleaned away that is not there, or a text at the beginning that is another: `path.replace(/^\/api/, '')`. */
function replacedByPattern(
  receiver: Value,
  { pattern, flags }: { readonly pattern: string; readonly flags: string },
  by: Value,
): Value | undefined {
  const ends = pattern.split('|');
  if (plainText(by) === '' && (ends.length === 1 || flags.includes('g')) && ends.every((end) => slashes.test(end)))
    return ends.reduce((text, end) => stripped(text, new RegExp(end)), receiver);
  if (plainText(by) === '' && ends.every((end) => cleaning.test(end)) && !optionsOf(receiver).some(isUnclean)) return receiver;
  if (/^(?::|\\?\{)/.test(pattern)) return filled(receiver, new RegExp(pattern, 'g'), by);
  const begins = /^\^((?:\\\/|[\w-])+)$/.exec(pattern)?.[1]?.replaceAll('\\', '');
  if (begins === undefined || flags.includes('i') || plainText(by)?.includes('$') === true) return undefined;
  const texts = optionsOf(receiver).map((option) => flat(partsOf(option)));
  return texts.every((text) => text.startsWith(begins)) ? replaced(receiver, begins, by) : undefined;
}

/** `text.slice(0, -1)`, where the numbers are written out and the text is known. */
function cutText(receiver: Value, args: readonly Value[]): Value | undefined {
  const numbers = args.map((arg) => (arg.type === 'literal' && typeof arg.value === 'number' ? arg.value : undefined));
  if (numbers.includes(undefined)) return undefined;
  // `base.endsWith('/') ? base.slice(0, -1) : base`
  if (isLeftToDefault(receiver) && numbers[0] === 0 && (numbers[1] ?? 0) < 0) return receiver;
  if (optionsOf(receiver).some((option) => plainText(option) === undefined)) return undefined;
  return mapText(receiver, (parts) => {
    const { length } = flat(parts);
    const [from = 0, to = length] = numbers.map((number = 0) => (number < 0 ? Math.max(length + number, 0) : number));
    return sliceParts(parts, from, to);
  });
}
