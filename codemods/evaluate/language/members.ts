/** What reading a property gives, by what it is read from. */
import type { Expression, Node } from '../../syntax/tree.ts';
import { builtinMember } from './builtins.ts';
import { nameOf } from '../calls/callees.ts';
import { combined } from '../libraries/combined.ts';
import { baseReadBack } from '../libraries/client-base.ts';
import { instanceMember, superMember } from '../classes/classes.ts';
import { oneArgument } from '../settings/command-line.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { givenByAll } from '../libraries/fakes.ts';
import { givenIn, partOf } from '../libraries/given.ts';
import { anyVerb } from '../libraries/library.ts';
import { commonJsName, type SourceModule } from '../module.ts';
import { isLookedUp, lookedUp, lookedUpAs } from './looked-up.ts';
import { isPrototype, objectMember } from './objects.ts';
import { isNullish, there } from './or-default.ts';
import { calledBackName } from '../calls/promisified-names.ts';
import { writesOf } from '../writes/property-writes.ts';
import {
  after,
  choiceOf,
  type ExternalValue,
  type FunctionValue,
  maxAlternatives,
  type MethodValue,
  type ObjectValue,
  optionsOf,
  plainText,
  through,
  unknown,
  type Value,
} from '../values/values.ts';
import { ruleNamed } from '../libraries/rules.ts';

/** `a.b` and `a[b]`: every property that it may be. */
export function readMember(ev: Evaluation, node: Extract<Node, { kind: 'member' }>, at: At): Value {
  if (node.object.kind === 'super') return readSuper(ev, node, at);
  const isChain = at.module.text.slice(node.start, node.propertyStart).includes('?.');
  const object = isChain ? ev.evaluate(node.object, at) : there(ev.evaluate(node.object, at));
  if (node.property === 'default' && isWholeOfCommonJs(ev, node.object, at.module)) return object;
  if (node.property !== undefined) return asQuery(node, ev.member(object, node.property, node, at), at);
  if (node.computed === undefined) return unknown(node, at.module);
  const keys = optionsOf(ev.evaluate(node.computed, at));
  // Which property it is, the caller decides; a client is asked by some verb, whoever that is.
  const open = keys.find(({ type }) => type === 'param');
  if (open !== undefined)
    return through(choiceOf([open, ...optionsOf(object).flatMap((option) => askedByAny(ev, option) ?? [])]), node, at.module);
  // By a name that is missing nothing is there.
  const names = keys.map((key) => (key.type === 'literal' ? String(key.value) : plainText(key)));
  // An unknown index of a known table: any of its values.
  if (names.includes(undefined)) return anyMember(ev, object, node, at);
  return choiceOf(names.map((name) => ev.member(object, name ?? '', node, at)));
}

/** Whether Node gives a name all that a file in CommonJS exports, of which compilers give the `default` alone: `import api from './api.cjs'; api.default`. */
function isWholeOfCommonJs(ev: Evaluation, name: Node, module: SourceModule): boolean {
  const { owner, declaration } = (name.kind === 'name' ? module.scopes.bindingOf(name) : undefined) ?? {};
  if (owner?.kind !== 'import' || !owner.specifiers.some(({ local, imported }) => local === declaration && imported === 'default'))
    return false;
  return ev.world.resolve(module, owner.source.value)?.writes.some(({ target }) => commonJsName(target) === 'default') === true;
}

/** `super.headers()`, `super[name]`: of an object that is made over another (`__proto__: base`), that of the other. */
function readSuper(ev: Evaluation, node: Extract<Node, { kind: 'member' }>, at: At): Value {
  const names =
    node.property === undefined && node.computed !== undefined ? optionsOf(ev.evaluate(node.computed, at)).map(plainText) : [node.property];
  const below = prototypeAround(node);
  return choiceOf(
    names.map((name) => {
      if (name === undefined) return unknown(node, at.module);
      return below === undefined ? superMember(ev, node, name, at) : ev.member(ev.evaluate(below, at), name, node, at);
    }),
  );
}

/** What the object literal that the method around a place belongs to is made over. */
function prototypeAround(node: Node): Expression | undefined {
  let method: Node | undefined = node;
  while (method !== undefined && (method.kind !== 'function' || method.isArrow)) method = method.parent;
  const object = method?.parent?.kind === 'property' ? method.parent.parent : undefined;
  const properties = object?.kind === 'object' ? object.properties : [];
  return properties.flatMap((each) => (each.kind === 'property' && isPrototype(each) ? each.value : []))[0];
}

/** `url.search`, `location.search`, `req.nextUrl.search`: whatever it is, a query begins with it. */
function asQuery({ property, object, parent }: Extract<Node, { kind: 'member' }>, value: Value, { module }: At): Value {
  const isOpen = value.type === 'unknown' || (value.type === 'method' && value.receiver.type === 'unknown') || isOfPage(value);
  if (property !== 'search' || !isOpen || (parent?.kind !== 'template' && parent?.kind !== 'concat')) return value;
  return isUrl(object, module) ? { type: 'text', parts: [{ text: '?' }, { unknownPart: value }] } : value;
}

const ofUrl = /(?:url|location)\)?$/i;
const isOfPage = (value: Value): boolean =>
  value.type === 'external' && value.source === '' && /^(?:\w+,)?location,search$/.test(value.path.join());

/** What is called a URL, or a constant that is one. */
function isUrl(object: Node, { scopes, text }: At['module']): boolean {
  if (ofUrl.test(text.slice(object.start, object.end))) return true;
  const owner = object.kind === 'name' ? scopes.bindingOf(object)?.owner : undefined;
  const made = owner?.kind === 'variable' && owner.declares === 'const' ? owner.init : object;
  if (made?.kind !== 'call' || !made.isNew || made.callee.kind !== 'name' || made.callee.name !== 'URL') return false;
  const declared = scopes.bindingOf(made.callee)?.owner;
  return declared === undefined || (declared.kind === 'import' && /^(?:node:)?url$/.test(declared.source.value));
}

/**
 * `request.get = (path) => request('GET', path)`: what is written into a function by the name that this is declared by, which is only called, read and
 * exported; or exported beside it.
 */
function writtenOn(ev: Evaluation, value: FunctionValue, name: string): Value | undefined {
  const { node, module } = value;
  const declared = nameOf(node);
  const references = (declared && module.scopes.declaredBy(declared)?.references) ?? [];
  const written = writesOf(ev.world, name);
  const own = written.filter(({ target }) => target.kind === 'member' && references.some((each) => each === target.object));
  if (own.length === 0) return exportedBeside(ev, value, name);
  if (!references.every(isPlainUse)) return undefined;
  const values = own.map((write) => ev.evaluate(write.value, { module, frame: undefined }));
  if (written.length === own.length) return choiceOf(values);
  // Others who write a property of that name may write it to this; methods are called what those of others are.
  return values.every(({ type }) => type === 'function') ? undefined : choiceOf([...values, unknown(node, module, 'assigned')]);
}

/** `module.exports = request; module.exports.headers = headers` */
function exportedBeside(
  ev: Evaluation,
  { node, module }: { readonly node: Node; readonly module: SourceModule },
  name: string,
): Value | undefined {
  const { whole, exports } = module;
  const exported = whole === undefined ? undefined : exports.get(name);
  if (whole === undefined || exported === undefined) return undefined;
  const isWhole =
    whole === node || optionsOf(ev.evaluate(whole, { module, frame: undefined })).some((each) => 'node' in each && each.node === node);
  return isWhole ? ev.exported(module, name) : undefined;
}

/** Whether a reference calls a function, reads a property of it by name, or exports it. */
function isPlainUse(reference: Node): boolean {
  const { parent } = reference;
  if (parent?.kind === 'call') return parent.callee === reference;
  if (parent?.kind === 'member') return parent.object === reference && parent.property !== undefined;
  return parent === undefined || parent.kind.startsWith('export') || (parent.kind === 'assign' && isExports(parent.target));
}

const isExports = (target: Node): boolean =>
  target.kind === 'member' && target.object.kind === 'name' && /^(?:module|exports)$/.test(target.object.name);

const ofMaps: ReadonlySet<string> = new Set(['clear', 'delete', 'entries', 'forEach', 'get', 'has', 'keys', 'set', 'values']);

/** Whether a method of a Map is read, and not what it holds under such a name; that may be assigned. */
const isOfMap = ({ isMap, entries }: ObjectValue, name: string, node: Node): boolean =>
  isMap === true &&
  node.kind === 'member' &&
  node.property === name &&
  ofMaps.has(name) &&
  !entries.some((entry) => entry.name === name && entry.node.kind === 'assign');

/** What a property of a value can be; `node` is the place that reads it. */
export function memberOf(ev: Evaluation, value: Value, name: string, node: Node, at: At): Value {
  const found = propertyOf(ev, value, name, node, at);
  const calledBack = calledBackName(ev.world, value, name, found);
  return calledBack === undefined ? lookedUpAs(value, found) : memberOf(ev, value, calledBack, node, at);
}

function propertyOf(ev: Evaluation, value: Value, name: string, node: Node, at: At): Value {
  const { module } = at;
  switch (value.type) {
    case 'choice':
      return choiceOf(
        givenByAll(
          optionsOf(value).map((by) => ({ by, value: ev.member(by, name, node, at) })),
          node,
          at,
        ),
      );
    case 'object':
      if (isOfMap(value, name, node)) return { type: 'method', receiver: value, path: [name] };
      return through(after(exportedBeside(ev, value, name) ?? objectMember(ev, value, name, node, at), value.provenance), node, module);
    case 'instance':
    case 'class':
      return through(
        after(
          (value.type === 'class' ? exportedBeside(ev, value, name) : undefined) ?? instanceMember(ev, value, name, node, at),
          value.provenance,
        ),
        node,
        module,
      );
    case 'namespace': {
      const found = ev.exported(value.module, name);
      return through(after(found ?? unknown(node, module), value.provenance), node, module);
    }
    case 'external':
      return through(builtinMember(ev, value, name, node, at) ?? externalMember(value, name), node, module);
    case 'http': {
      const client = value.stage === 'client' ? ruleNamed(ev.rules, value.client)?.clients?.[name] : undefined;
      if (client !== undefined) return through({ ...value, client }, node, module);
      const method: MethodValue = { type: 'method', receiver: value, path: [name], provenance: undefined };
      return through(defaultBase(ev, { ...method, path: [] }, name) ?? method, node, module);
    }
    case 'method':
      return through(
        defaultBase(ev, value, name) ?? builtinMember(ev, value, name, node, at) ?? { ...value, path: [...value.path, name] },
        node,
        module,
      );
    case 'param':
      return through(value, node, module);
    case 'function':
      // `fn.call`, `fn.bind` …: the function itself decides.
      return through(
        writtenOn(ev, value, name) ?? ({ type: 'method', receiver: value, path: [name], provenance: undefined } satisfies MethodValue),
        node,
        module,
      );
    case 'literal':
      // `options?.timeout` of options that were not given.
      if (isNullish(value)) return absent;
      return unknown(node, module);
    case 'text':
      // `table[name].headers` of what has texts beside its rows; a URL is one, too.
      if (isLookedUp(value) && ![String, URL].some(({ prototype }) => name in prototype)) return absent;
      return through(builtinMember(ev, value, name, node, at) ?? unknown(node, module), node, module);
    default:
      return through(builtinMember(ev, value, name, node, at) ?? unknown(node, module), node, module);
  }
}

/** `api.defaults.baseURL`, or `api.baseURL` of a client that has its defaults itself. */
function defaultBase(ev: Evaluation, { receiver, path }: MethodValue, name: string): Value | undefined {
  if (name !== 'baseURL' || receiver.type !== 'http') return undefined;
  const defaults = ruleNamed(ev.rules, receiver.client)?.defaults;
  return defaults !== undefined && defaults.join('.') === path.join('.') ? baseReadBack(ev, receiver) : undefined;
}

function anyMember(ev: Evaluation, object: Value, node: Node, at: At): Value {
  const options = optionsOf(object).flatMap((option): readonly Value[] => {
    if (option.type === 'object' && option.unknown.length === 0 && option.entries.length <= maxAlternatives) {
      // One write may give many properties the same value.
      return [...new Set(option.entries.map(({ value }) => value))].flatMap((value) =>
        optionsOf(lookedUp(after(value(), option.provenance))),
      );
    }
    if (option.type === 'list' && !option.isOpen)
      return option.items.flatMap((item) => optionsOf(lookedUp(after(item, option.provenance))));
    // `import * as commands from './commands.js'`
    const names = option.type === 'namespace' && option.module.stars.length === 0 ? [...option.module.exports.keys()] : [];
    if (names.length > 0) return names.flatMap((name) => optionsOf(lookedUp(ev.member(option, name, node, at))));
    const asked = askedByAny(ev, option);
    if (asked !== undefined) return [asked];
    // `read().profiles?.[name]` of a file without profiles.
    if (isNullish(option)) return [absent];
    if (option.type === 'param' || givenIn(option) !== undefined) return [partOf(option)];
    return [oneArgument(option, node, at.module) ?? unknown(node, at.module)];
  });
  return options.length === 0 ? unknown(node, at.module) : through(choiceOf(options), node, at.module);
}

/** `client[verb]`, `axios[verb]` */
function askedByAny(ev: Evaluation, value: Value): Value | undefined {
  if (value.type === 'http') return value.stage === 'client' ? { type: 'method', receiver: value, path: [anyVerb] } : undefined;
  if (value.type !== 'external') return undefined;
  const { modules, globals } = combined(ev.rules);
  const isClient =
    value.source === ''
      ? value.path.length === 1 && globals.has(value.path[0] ?? '')
      : value.path.length === 0 && modules.has(value.source);
  return isClient ? externalMember(value, anyVerb) : undefined;
}

/** What there is of something that is missing. */
const absent: Value = { type: 'literal', value: undefined, why: 'absent' };

const externalMember = (value: ExternalValue, name: string): ExternalValue =>
  // The default export is the module itself, as import and require give it in turn.
  name === 'default' && value.source !== '' ? value : { ...value, path: [...value.path, name] };
