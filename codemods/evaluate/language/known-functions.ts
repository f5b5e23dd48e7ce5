/** What functions of the language and its platforms make of what they are given. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import type { Node } from '../../syntax/tree.ts';
import { isAddress } from '../writes/address-writes.ts';
import type { LibraryFunction } from '../libraries/client-rule.ts';
import { combined } from '../libraries/combined.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { openValue, requiredValue } from '../names/exports.ts';
import { anyArgument, commandLines, takingArguments } from '../settings/command-line.ts';
import { isOfKnown, listed, nameOf, pairsOf } from './listings.ts';
import { exportsListed, fieldsInOrder, fieldsOf } from '../classes/instance-fields.ts';
import { madeOfListing } from './made-of-listing.ts';
import { merged } from '../writes/object-assign.ts';
import { promisedValue } from '../calls/promise-executors.ts';
import { concatenated, formatted, joinUrl, urlPart, urlPartNames, writtenOut } from '../values/text.ts';
import type { SourceModule } from '../module.ts';
import {
  after,
  choiceOf,
  type Entry,
  type ExternalValue,
  type HttpValue,
  type ObjectValue,
  optionsOf,
  plainText,
  unknown,
  type Value,
} from '../values/values.ts';
import { Shape } from '../values/shape.ts';
import { urlOfParts } from './url-of-parts.ts';
import { belowOwnPath } from './url-taken-apart.ts';
import { asMap } from './looked-up.ts';
import { shortenedByMap } from '../settings/shortened-variables.ts';
import { headersOf } from '../writes/writes.ts';

const first: LibraryFunction = (_ev, [value]) => value;
/** What has nothing to be encoded stays as it is. */
const encoded: LibraryFunction = (_ev, [value]) =>
  value?.type === 'text' && value.parts.every((part) => 'unknownPart' in part || /^[\w.~-]*$/.test(part.text)) ? value : undefined;
const asUrl: LibraryFunction = (_ev, [url, base]) => {
  const made = (base && url && belowOwnPath(base, url)) ?? joinUrl(base, url, 'resolve');
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
  'Array.of': (_ev, items, node, { module }) => ({
    type: 'list',
    items,
    nodes: node.kind === 'call' ? node.args.map((arg) => (arg.kind === 'spread' ? undefined : arg)) : [],
    isOpen: false,
    module,
  }),
  structuredClone: first,
  encodeURIComponent: encoded,
  'String.raw': rawText,
  'Object.assign': (ev, args, node, at) =>
    merged(
      args.map((each, index) => (index === 0 ? each : fieldsOf(ev, each, at))),
      node,
      at,
    ),
  'Object.values': (ev, [object], _node, at) => {
    const valuesOf = (of: Value | undefined): Value | undefined => listed(of, at.module, (entry) => entry.value());
    return object && (exportsListed(ev, object, at, valuesOf) ?? valuesOf(fieldsInOrder(ev, object, at)));
  },
  'Object.keys': (_ev, [object], _node, { module }) => listed(object, module, nameOf),
  'Object.entries': (ev, [object], _node, at) => {
    const entriesOf = (of: Value): Value | undefined => pairsOf(of, at.module);
    return object && (exportsListed(ev, object, at, entriesOf) ?? entriesOf(fieldsInOrder(ev, object, at)));
  },
  'Object.fromEntries': (ev, [list], node, at) =>
    (list && headersOf(list)) ?? madeOfListing(ev, node.args[0], at) ?? shortenedByMap(ev, node, at),
  Headers: (_ev, [init], node, at) => madeOf(init, node, at),
  Set: (_ev, [items], node, { module }) => asSet(items, node, module),
  'Array.from': (_ev, [items, each]) => (items?.type === 'list' && each === undefined ? items : undefined),
  Map: (_ev, [pairs], node, at) => asMap(madeOf(pairs, node, at)),
  Promise: (ev, [executor], node) => promisedValue(ev, executor, node),
  URL: asUrl,
  'url:URL': asUrl,
  'url:format': urlOfParts,
  'url:parse': parsedUrl,
  'url:urlToHttpOptions': parsedUrl,
  'url:resolve': (_ev, [base, url]) => joinUrl(base, url, 'resolve'),
  'util:format': (_ev, [format, ...args]) => format && formatted(format, args),
  'path:join': joinedPath,
  'path:resolve': joinedPath,
  'path:posix.join': joinedPath,
  'path/posix:join': joinedPath,
  ...Object.fromEntries(
    [...commandLines, 'process:argv'].flatMap((name) =>
      takingArguments.map((method): [string, LibraryFunction] => [
        `${name}.${method}`,
        (_ev, _args, node, { module }) => anyArgument(node, module),
      ]),
    ),
  ),
  'Deno.env.get': variableOf,
  'Deno.env.toObject': () => ({ type: 'external', source: '', path: ['Deno', 'env'] }),
  // https://docs.netlify.com/build/functions/api/#netlify-global-object
  'Netlify.env.get': variableOf,
  'module:createRequire': () => ({ type: 'external', source: '', path: ['require'] }),
  require: (ev, [specifier], node, at) => {
    const text = specifier === undefined ? undefined : plainText(specifier);
    const from = { node, module: at.module, rest: undefined };
    return text === undefined ? openValue(ev, at.module, node) : requiredValue(ev, at.module, text, from);
  },
};

/** `String.raw({ raw: strings }, ...values)`: texts with what stands between them. */
function rawText(ev: Evaluation, [strings, ...values]: readonly Value[], node: Node, at: At): Value | undefined {
  const texts = strings && ev.member(strings, 'raw', node, at);
  // Which template it is, each caller says.
  if (texts?.type === 'param') return texts;
  if (texts?.type !== 'list' || texts.isOpen || values.length !== texts.items.length - 1) return undefined;
  return concatenated(texts.items.flatMap((text, index) => [text, ...values.slice(index, index + 1)]));
}

/** The environment's variable of a name. */
function variableOf(_ev: unknown, [name]: readonly Value[], node: Node, { module }: At): Value | undefined {
  const text = name === undefined ? undefined : plainText(name);
  return text === undefined ? undefined : { type: 'env', name: text, node, module };
}

/** `new Set(items)`: each once, whatever their number. */
function asSet(items: Value | undefined, node: Node, module: SourceModule): Value | undefined {
  if (node.kind !== 'call' || !node.isNew || (items !== undefined && (items.type !== 'list' || !isOfKnown(items)))) return undefined;
  return { type: 'list', items: items?.items ?? [], nodes: [], isOpen: true, placed: 0, isSet: true, module };
}

/** `new Headers(init)`, `new Map(pairs)`: empty where nothing is given. */
function madeOf(init: Value | undefined, node: Node, { module }: At): Value | undefined {
  const empty: ObjectValue = { type: 'object', node, module, entries: [], unknown: [] };
  if (init?.type === 'method' && init.receiver.type === 'http') {
    // `new Headers(init.headers)` of a request that a mock receives: what is read of it is read of that.
    if (init.receiver.mock !== undefined) return init;
    if (init.path.join('.') === 'headers') return headersOfRequest(init, init.receiver, node, module);
  }
  if (init === undefined) return empty;
  return choiceOf(
    optionsOf(init).map((option) => (option.type === 'literal' ? empty : (headersOf(option) ?? { ...empty, unknown: [option] }))),
  );
}

/** `new Headers(request.headers)` */
function headersOfRequest(init: Value, { headers, provenance }: HttpValue, node: Node, module: SourceModule): Value {
  const shape = new Shape(node);
  // A request that is made without the key may be given it before it is asked with.
  const hasKey = headers.some((each) => headersOf(each)?.entries.some(({ name }) => name !== undefined && isKeyHeader(name)) === true);
  if (!hasKey) shape.spread(init);
  for (const each of headers) shape.spread(choiceOf(optionsOf(after(each, provenance)).map((option) => headersOf(option) ?? option)));
  return { type: 'object', node, module, ...shape.end() };
}

/** What is known of a function of a library or of the language: what it makes of what it is given. */
export function knownFunction(ev: Evaluation, { source, path }: ExternalValue): LibraryFunction | undefined {
  const name = source === '' ? path.join('.') : `${source}:${path.join('.')}`;
  return Object.hasOwn(functions, name) ? functions[name] : combined(ev.rules).functions.get(name);
}
