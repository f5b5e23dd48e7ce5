/**
 * What all components of Vue have: what the program puts on its prototype (https://v2.vuejs.org/v2/cookbook/adding-instance-properties.html), on
 * `globalProperties` (https://vuejs.org/api/application.html#app-config-globalproperties), or into all by a mixin.
 */
import { classAround } from '../../evaluate/calls/callees.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Ask, AskNode, Carrying, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { escaped } from '../../find/words/literals.ts';
import type { CallNode, Expression, MemberNode, Node, ObjectNode } from '../../syntax/tree.ts';
import { isCallOf, ownerOf } from '../names.ts';

export const globals = 'vue globals';

/** What a component is called by those who have it, where a name without `$` is asked for; the store has one as `_vm`. */
const component = /^(?:this|vm|_vm|globalProperties|\$root)$/;
const isVue = (name: string): boolean => /^_?vue$/i.test(name);

/** What all components have: `this.$api`, and `$api` in a template. Nothing else has names that begin so. */
export const globalOfComponents =
  (space: string) =>
  (node: AskNode, name: string | undefined, { text }: SourceModule): Ask | undefined => {
    if (node.kind === 'name') return node.name.startsWith('$') ? { space, key: node.name } : undefined;
    if (name === undefined || isWritten(node)) return undefined;
    const owner = ownerOf(node);
    // `Vue.prototype.$api`, `Vue.api`
    if (owner === 'prototype' || isVue(owner)) return { space, key: name, isOfPackage: true };
    // What has no `$` may be a property, or come from what a component or class is made of.
    const isOwn = component.test(owner) && (name.startsWith('$') || !/\b(?:props|defineProps|mixins|extends)\b/.test(text));
    return isOwn || (/^\$\w/.test(name) && node.kind === 'member') ? { space, key: name } : undefined;
  };

const isWritten = (node: Node): boolean => node.parent?.kind === 'assign' && node.parent.target === node;

/** Where something is used that all components have: what has no `$` is a name of much else, too, unless it is a member, or stands in a template. */
export const usesOfGlobals = (names: readonly string[]): RegExp =>
  new RegExp(
    names
      .map((name) => {
        const word = `(?<![\\w$])${escaped(name)}(?![\\w$])`;
        return name.startsWith('$')
          ? word
          : `\\.\\s*${word}|${word}(?<=\\{[^{}]{0,300})[^{}]{0,300}\\}\\s*=\\s*\\w|${word}(?<=="[^"<>]{0,300})\\s*[.(]`;
      })
      .join('|'),
  );

/** `Vue.prototype`, `app.config.globalProperties`, Vue itself; a plugin may call that what it likes, and the project's own classes have prototypes, too. */
function isOfAll(node: Node | undefined, { scopes }: SourceModule): boolean {
  if (node?.kind === 'name') return isVue(node.name);
  if (node?.kind !== 'member') return false;
  if (node.property === 'globalProperties') return true;
  if (node.property !== 'prototype' || node.object.kind !== 'name') return false;
  return isVue(node.object.name) || scopes.bindingOf(node.object)?.owner.kind === 'param';
}

/** `Vue.mixin({ beforeCreate() { this.$api = api; } })`: whichever component it is. */
const isPutThere = (target: MemberNode, module: SourceModule): boolean =>
  isOfAll(target.object, module) ||
  (target.object.kind === 'this' && /^\$\w/.test(target.property ?? '') && classAround(target) === undefined);

function puts(node: PutNode, module: SourceModule): readonly Put[] {
  if (node.kind === 'assign') {
    const { target, value } = node;
    const key = target.kind === 'member' && isPutThere(target, module) ? (target.property ?? target.computed) : undefined;
    return key === undefined ? [] : [putForAll(key, value)];
  }
  if (node.kind !== 'call' || node.callee.kind !== 'member') return [];
  const [to, what, descriptor] = node.args;
  if (isCallOf(node, { method: /^mixin$/ })) return node.args.length === 1 && to?.kind === 'object' ? methodsOf(to) : [];
  return isOfAll(to, module) ? putInto(node, what, descriptor) : [];
}

const putForAll = (key: Put['key'], node: Node): Put => ({ space: globals, key, node, isForAll: true });

/** `Object.defineProperty(Vue.prototype, '$api', { get: () => api })`, `Object.defineProperties(…)`, `Object.assign(…)` */
function putInto(
  { callee }: CallNode,
  what: CallNode['args'][number] | undefined,
  descriptor: CallNode['args'][number] | undefined,
): Put[] {
  const method = callee.kind === 'member' && callee.object.kind === 'name' && callee.object.name === 'Object' ? callee.property : undefined;
  if (what === undefined || what.kind === 'spread') return [];
  if (method === 'defineProperty') return described(what, descriptor);
  if (what.kind !== 'object') return [];
  return what.properties.flatMap((each): Put[] => {
    const key = each.kind === 'property' ? (each.name ?? each.computed) : undefined;
    if (each.kind !== 'property' || key === undefined) return [];
    if (method === 'assign') return [putForAll(key, each.value)];
    return method === 'defineProperties' ? described(key, each.value) : [];
  });
}

/** What a descriptor gives: its value, or what its getter returns. */
function described(key: Put['key'], descriptor: Node | undefined): Put[] {
  const given = descriptor?.kind === 'object' ? descriptor.properties : [];
  return given.flatMap((each): Put[] => {
    if (each.kind !== 'property' || !/^(?:value|get)$/.test(each.name ?? '')) return [];
    const node = each.name === 'value' ? each.value : returnedBy(each.value);
    return node === undefined ? [] : [putForAll(key, node)];
  });
}

/** Of a function that does nothing else. */
function returnedBy(fn: Expression): Expression | undefined {
  if (fn.kind !== 'function' || fn.body === undefined) return undefined;
  if (fn.body.kind !== 'block') return fn.body;
  const [only, ...more] = fn.body.body;
  return only?.kind === 'return' && more.length === 0 ? only.argument : undefined;
}

/** `Vue.mixin({ methods: { api() { … } } })` */
const methodsOf = (mixin: ObjectNode): Put[] =>
  mixin.properties
    .flatMap((each) => (each.kind === 'property' && each.name === 'methods' && each.value.kind === 'object' ? each.value.properties : []))
    .flatMap((each) => (each.kind === 'property' && each.name !== undefined ? [putForAll(each.name, each.value)] : []));

export const carriedToAll: Carrying = {
  where: /['"](?:vue|@vue\/composition-api)['"]|\.vue['"]|\bglobalProperties\b|\bVue\.prototype\b|\.prototype\.\$/,
  puts,
  asks: globalOfComponents(globals),
};

/** A plugin may call it `V`; what else has a prototype gives it names without a `$`. */
const all = String.raw`\b(?:globalProperties|(?:_?[Vv]ue|[A-Z])\.prototype|\w+\.prototype(?=\.\$))`;
const writtenTo = (object: string): string =>
  String.raw`(?:${object}|\bVue|\.mixin\([^]{0,500}?\bthis)(?:\.|\[['"])(\$?\w+)(?:['"]\])?\s*=(?!=)`;
const written = new RegExp(writtenTo(all), 'g');
const defined = new RegExp(String.raw`\bdefineProperty\(\s*[\w.]*?${all}\s*,\s*['"]([$\w]+)`, 'g');
const listed = new RegExp(String.raw`\b(?:defineProperties|assign)\(\s*[\w.]*?${all}\s*,\s*\{([^]{0,2000}?)\}\s*\)`, 'g');
const ofDescriptors = /^(?:get|set|value|configurable|enumerable|writable|return|function)$/;

/** The same, told from behind: a text has far more words than prototypes. */
const allFromBehind = String.raw`\bglobalProperties|\.prototype(?:(?<=\b(?:_?[Vv]ue|[A-Z])\.prototype)|(?=\.\$)(?<=\w\.prototype))`;

export const markOfGlobals = new RegExp([writtenTo(allFromBehind), defined.source, listed.source].join('|'));

/** The names under which a text puts something there. */
export const globalsIn = (text: string): string[] =>
  [
    ...Array.from(text.matchAll(written), ([, name = '']) => name),
    ...Array.from(text.matchAll(defined), ([, name = '']) => name),
    ...Array.from(text.matchAll(listed), ([, inside = '']) => inside.match(/[$\w]+(?=\s*[:,(]|\s*$)/g) ?? []).flat(),
  ].filter((name) => !ofDescriptors.test(name));
