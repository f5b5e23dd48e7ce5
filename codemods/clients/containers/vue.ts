/** Vue: its references (https://vuejs.org/api/reactivity-core.html), and what `this` is in components that are written as options (https://vuejs.org/api/options-state.html). */
import { asArguments } from '../../evaluate/calls/callers.ts';
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { walk } from '../../syntax/link.ts';
import type { Expression, FunctionNode, Node, ObjectNode, PropertyNode } from '../../syntax/tree.ts';
import { named } from '../names.ts';
import { carriedToAll, globalsIn, markOfGlobals, usesOfGlobals } from './vue-globals.ts';
import { pluginOptions } from '../plugins.ts';
import { first, keptAs, returned } from '../pass-through.ts';
import { applyFunction } from '../../evaluate/calls/apply.ts';
import { asAssigned } from '../../evaluate/writes/external-writes.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { providedFor } from '../../evaluate/libraries/provided.ts';
import { escaped } from '../../find/words/literals.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';

const propertyOf = (object: ObjectNode, name: string): PropertyNode | undefined =>
  object.properties.find((each): each is PropertyNode => each.kind === 'property' && each.name === name);

const isComponent = (object: ObjectNode): boolean =>
  propertyOf(object, 'data')?.value.kind === 'function' ||
  propertyOf(object, 'methods')?.value.kind === 'object' ||
  propertyOf(object, 'mixins')?.value.kind === 'array';

/** @returns the options of the component that a function is part of: a hook, or one of its methods or computed properties */
function optionsAround(fn: FunctionNode): ObjectNode | undefined {
  const object = fn.parent?.kind === 'property' ? fn.parent.parent : undefined;
  if (object?.kind !== 'object') return undefined;
  if (isComponent(object)) return object;
  const section =
    object.parent?.kind === 'property' && /^(?:methods|computed|watch)$/.test(object.parent.name ?? '') ? object.parent : undefined;
  return section?.parent?.kind === 'object' && isComponent(section.parent) ? section.parent : undefined;
}

/** What `this` is in a function of a component: its data, its methods and what it computes. */
function componentOf(ev: Evaluation, fn: FunctionNode, at: At): ObjectValue | undefined {
  const node = optionsAround(fn);
  if (node === undefined) return undefined;
  const options = [...mixedInto(ev, node, at), ev.evaluate(node, at)];
  const section = (name: string): Value[] => options.map((each) => ev.member(each, name, node, at));
  const entries: Entry[] = [
    ...section('data').flatMap((data) => entriesOf(data.type === 'function' ? called(ev, data, node, at) : data)),
    ...section('methods').flatMap(entriesOf),
    ...section('computed')
      .flatMap(entriesOf)
      .map((entry) => ({ ...entry, value: () => computed(ev, entry.value(), node, at) })),
    ...assigned(ev, node, at),
    ...injectedInto(ev, node, at),
  ];
  return { type: 'object', node, module: at.module, entries, unknown: [{ type: 'unknown', node, module: at.module }] };
}

/** `mixins: [api], extends: Base`: what they have, the component has, too, unless it says so itself. */
function mixedInto(ev: Evaluation, component: ObjectNode, at: At): readonly Value[] {
  const mixins = propertyOf(component, 'mixins')?.value;
  const base = propertyOf(component, 'extends')?.value;
  const listed =
    mixins?.kind === 'array' ? mixins.elements.flatMap((each) => (each === undefined || each.kind === 'spread' ? [] : [each])) : [];
  return [...(base === undefined ? [] : [base]), ...listed].map((each) => ev.evaluate(each, at));
}

const entriesOf = (value: Value): Entry[] => optionsOf(value).flatMap((option) => (option.type === 'object' ? option.entries : []));

/** `this.name = …` anywhere in the component. */
function assigned(ev: Evaluation, component: ObjectNode, at: At): Entry[] {
  const found: Entry[] = [];
  walk(component, (node) => {
    if (node.kind !== 'assign' || node.target.kind !== 'member' || node.target.object.kind !== 'this') return;
    const value = (): Value => choiceOf(optionsOf(ev.evaluate(node.value, at)).map(asAssigned));
    found.push({ name: node.target.property, key: undefined, node, module: at.module, valueNode: node.value, value });
  });
  return found;
}

/** `inject: ['client']`, `inject: { client: 'messaging' }`, `inject: { client: { from: key } }` */
function injectedInto(ev: Evaluation, component: ObjectNode, at: At): Entry[] {
  const inject = propertyOf(component, 'inject')?.value;
  const names: [name: string | undefined, node: Node, key: Expression][] =
    inject?.kind === 'array'
      ? inject.elements.flatMap((each) => (each?.kind === 'string' ? [[each.value, each, each]] : []))
      : inject?.kind === 'object'
        ? inject.properties.flatMap((each) => (each.kind === 'property' ? [[each.name, each, keyOf(each)]] : []))
        : [];
  return names.map(([name, node, key]) => {
    const value = (): Value => providedFor(ev, { space, key }, key, at) ?? unknown(key, at.module);
    return { name, key: undefined, node, module: at.module, valueNode: undefined, value };
  });
}

/** By which key a property of `inject` asks; one with a default alone asks by its own name. */
function keyOf({ name, value }: PropertyNode): Expression {
  const { start, end } = value;
  if (value.kind !== 'object' || name === undefined) return value;
  return propertyOf(value, 'from')?.value ?? { kind: 'string', value: name, quote: '', start, end };
}

/** A computed property is what its function returns, or the one called `get`. */
function computed(ev: Evaluation, value: Value, node: Node, at: At): Value {
  const getter = value.type === 'object' ? ev.member(value, 'get', node, at) : value;
  return getter.type === 'function' ? called(ev, getter, node, at) : value;
}

function called(ev: Evaluation, fn: Extract<Value, { type: 'function' }>, node: Node, at: At): Value {
  const call = { kind: 'call', callee: fn.node, args: [], isNew: false, start: node.start, end: node.end } as const;
  return applyFunction(ev, fn, asArguments([]), call, at);
}

const unwrapped: LibraryFunction = (ev, [value], node, at) =>
  value !== undefined && optionsOf(value).every(({ type }) => type === 'object') ? ev.member(value, 'value', node, at) : value;

const functions: Readonly<Record<string, LibraryFunction>> = {
  ref: keptAs('value', first),
  shallowRef: keptAs('value', first),
  computed: keptAs('value', returned),
  reactive: first,
  readonly: first,
  toRaw: first,
  markRaw: first,
  unref: unwrapped,
};

const space = 'vue';
const provided = /\.provide\(\s*['"]([\w$:./-]+)['"]/;

/** Where something is asked for by name that is provided. */
const asksFor = (names: readonly string[]): RegExp =>
  new RegExp(
    String.raw`\binject\s*(?:<[^<>()]*>)?(?:\(\s*|\s*:\s*[[{][^\]}]{0,500}?)(?<![\w$])['"]?(?:${names.map(escaped).join('|')})(?![\w$])`,
  );

const usesOf = (globalNames: readonly string[], providedNames: readonly string[]): RegExp =>
  new RegExp(
    [...(globalNames.length > 0 ? [usesOfGlobals(globalNames)] : []), ...(providedNames.length > 0 ? [asksFor(providedNames)] : [])]
      .map(({ source }) => source)
      .join('|'),
  );

const where = /['"](?:vue|@vue\/composition-api)['"]|\.vue['"]/;

export const vueLibrary: ClientRule = {
  name: 'vue',
  givesBack: ['reactive'],
  // Nuxt imports them by itself.
  functions: { ...functions, ...Object.fromEntries(Object.entries(functions).map(([name, fn]) => [`vue:${name}`, fn])) },
  ...pluginOptions(/^use$/),
  carriers: ['provide'],
  // https://vuejs.org/guide/components/provide-inject.html
  carries: [named({ where, space, puts: { method: /^provide$/ }, asks: { method: /^inject$/ } }), carriedToAll],
  // A router may import components by itself.
  ambient: {
    mark: new RegExp(`${markOfGlobals.source}|${provided.source}`),
    reached: (text) =>
      usesOf(
        globalsIn(text),
        Array.from(text.matchAll(new RegExp(provided, 'g')), ([, name = '']) => name),
      ),
    handsOn: true,
  },
  thisIn: componentOf,
};
