/** Members and calls of what the language and its platforms bring along: the environment, URLs, headers, texts, lists. Calls go to the file of what they are asked of. */
import type { CallNode, Node, TaggedNode } from '../../syntax/tree.ts';
import { givenFrom } from '../calls/callers.ts';
import { combined } from '../libraries/combined.ts';
import { isEnvironment, wholeOf } from '../settings/environments.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { commandLines, isOfArgument } from '../settings/command-line.ts';
import { given, givenIn } from '../libraries/given.ts';
import { knownFunction } from './known-functions.ts';
import { madeByFold } from './made-of-listing.ts';
import { itemAt, listMethod, mapped } from './list-methods.ts';
import { listed, pairsOf } from './listings.ts';
import { isLeftToDefault } from './or-default.ts';
import { filledAt, foldedText } from '../values/placeholders.ts';
import { urlPart } from '../values/text.ts';
import { bare, textMethod, tidying } from './text-methods.ts';
import { isNullish, orDefault } from './or-default.ts';
import {
  choiceOf,
  type ExternalValue,
  type FunctionValue,
  type MethodValue,
  nothing,
  type ObjectValue,
  optionsOf,
  plainText,
  through,
  unknown,
  type Value,
} from '../values/values.ts';
import { bindingIn, configured, defaultGiven, isDefault, prefixOf, refined, schemaCall, transformedCall } from '../settings/settings.ts';
import { ofAnyName } from './looked-up.ts';
import { isRawText } from '../../syntax/tagged.ts';
import { shortenedByReduce } from '../settings/shortened-variables.ts';
import { setBy } from '../writes/writes.ts';

/** Objects that hold the global names. */
export const globalObjects: ReadonlySet<string> = new Set(['globalThis', 'window', 'self', 'global']);

/** A property of something that is not the project's own. */
export function builtinMember(ev: Evaluation, value: Value, name: string, node: Node, at: At): Value | undefined {
  if (value.type === 'external') return externalMember(ev, value, name, node, at);
  if (value.type === 'list') {
    // `strings.raw` of what a tag is given: without escapes, the same texts.
    if (name === 'raw' && value.nodes.length > 0 && value.nodes.every((each) => isRawText(each, value.module.text))) return value;
    if (/^\d+$/.test(name)) return itemAt(value, Number(name)) ?? unknown(node, at.module);
    return { type: 'method', receiver: value, path: [name] };
  }
  const bound = bindingIn(value, name, node, at);
  if (bound !== undefined) return bound;
  if (value.type !== 'text' && value.type !== 'env' && value.type !== 'unknown') return undefined;
  if (name === 'href') return value;
  const part = value.type === 'text' ? urlPart(value, name) : undefined;
  if (part !== undefined) return part;
  if (isTextAlone(value) && !ofTexts.has(name)) return { type: 'literal', value: undefined };
  // Frameworks give an event with a `fetch` that is called as the global one is.
  if (value.type === 'unknown' && name === 'fetch' && value.node?.kind === 'param')
    return combined(ev.rules).eventFetch(ev, value.module ?? at.module) ?? { type: 'external', source: '', path: ['fetch'] };
  return { type: 'method', receiver: value, path: [name] };
}

/** A variable that is read where it stands is a text, or nothing: `options.baseUrl` of options that are a key has none. */
const isTextAlone = (value: Value): boolean =>
  value.type === 'env' && /^process\.env\b/.test(value.module.text.slice(value.node.start, value.node.end));

/** What a text has, and what an address has that is made of one. */
const ofTexts: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(String.prototype),
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(URL.prototype),
]);

/** What is no variable of `Deno.env`, and no other environment has: nobody calls a variable so. */
const ofDeno: ReadonlySet<string> = new Set(['get', 'toObject']);

function externalMember(ev: Evaluation, value: ExternalValue, name: string, node: Node, at: At): Value | undefined {
  const { module } = at;
  const { source, path } = value;
  const whole = wholeOf(value);
  if (isEnvironment(ev, value) && !ofDeno.has(name)) {
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

/** A call of something that no rule of the clients knows. */
export function builtinCall(ev: Evaluation, callee: Value, node: CallNode, at: At): Value | undefined {
  if (callee.type === 'external') {
    const made = knownFunction(ev, callee)?.(ev, ev.args(node, at), node, at);
    // `memoize(fn)` is no longer just what it is given.
    return made?.type === 'function' ? through(made, node, at.module) : made;
  }
  return callee.type === 'method' ? methodCall(ev, callee, node, at) : undefined;
}

/** What an argument of the command line is cut at, or gets in the place of something, is no address by itself. */
const isNoHost = (value: Value): boolean => value.type !== 'text' || !/[.:]/.test(plainText(value) ?? '.');

/** `fn.bind(self)`; an arrow function has the `this` of what is around it, and what is bound keeps its own. */
export const boundTo = (fn: FunctionValue, self: Value | undefined): FunctionValue =>
  self === undefined || isNullish(self) || fn.node.isArrow || fn.isBound === true ? fn : { ...fn, self, isBound: true };

function methodCall(ev: Evaluation, callee: MethodValue, node: CallNode, at: At): Value | undefined {
  const { receiver, path } = callee;
  const [name, ...more] = path;
  if (name === undefined) return undefined;
  const last = path.at(-1) ?? '';
  if (receiver.type === 'unknown' && (tidying.has(last) || isOfArgument(receiver, last))) {
    const given: Value = more.length === 0 ? receiver : { ...callee, path: path.slice(0, -1) };
    if (isOfArgument(receiver, last)) return ev.args(node, at).every(isNoHost) ? given : undefined;
    if (isLeftToDefault(given)) return bare(textMethod(given, path.at(-1) ?? '', node, ev.args(node, at), at.module));
  }
  if (receiver.type === 'object' && more.length > 0) return transformedCall(ev, callee, node, at);
  if (more.length > 0) return receiver.type === 'unknown' ? foldedText(ev, receiver, node, at) : undefined;
  const folded = name === 'reduce' ? madeByFold(ev, node, at) : undefined;
  if (folded !== undefined) return folded;
  const args = ev.args(node, at);
  switch (receiver.type) {
    case 'function':
      // What is bound beside `this` would come before the arguments of the calls: not followed.
      if (name === 'bind') return args.length > 1 ? undefined : boundTo(receiver, args[0]);
      return name === 'call' ? ev.apply(boundTo(receiver, args[0]), givenFrom(args, 1), node, at) : undefined;
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
      return bare(textMethod(receiver, name, node, args, at.module)) ?? refined(ev, receiver, name, args, node, at);
    }
    case 'unknown':
      // What a schema puts in place of what is missing.
      if (isDefault(name) && args.length === 1) return defaultGiven(ev, args[0], node, at);
      // `base.concat('/v1/contacts')`: lists have it, too, but no list is given paths that begin with a slash to make an address of.
      if (name === 'concat' && args.some((each) => /^\/./.test(plainText(each) ?? '')))
        return textMethod(receiver, name, node, args, at.module);
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
