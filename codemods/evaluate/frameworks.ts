/** What frameworks and helpers make of what they are given, where that still is a client, an address or a configuration. */
import type { CallNode } from '../syntax/tree.ts';
import type { At, Evaluation } from './evaluation.ts';
import { groupedVariables, parsedBy } from './settings.ts';
import { joinUrl } from './text.ts';
import { type Entry, optionsOf, unknown, type Value } from './values.ts';

type Helper = (ev: Evaluation, args: readonly Value[], node: CallNode, at: At) => Value | undefined;

const first: Helper = (_ev, [value]) => value;

/** What the function that is given returns. */
const returned: Helper = (ev, [fn], node, at) => (fn?.type === 'function' ? ev.apply(fn, [], node, at) : undefined);

/** An object that keeps a value under a name: a reference of React or Vue. */
const keptAs =
  (name: string, of: Helper): Helper =>
  (ev, args, node, at) => {
    const value = of(ev, args, node, at) ?? unknown(node, at.module);
    const entry: Entry = { name, key: undefined, node, module: at.module, valueNode: undefined, value: () => value };
    return { type: 'object', node, module: at.module, entries: [entry], unknown: [] };
  };

/** A state that starts with a value, or with what a function returns. */
const state: Helper = (ev, args, node, at) => {
  const start = returned(ev, args, node, at) ?? args[0] ?? unknown(node, at.module);
  return { type: 'list', items: [start, unknown(node, at.module)], nodes: [], isOpen: false, module: at.module };
};

/** `urlcat(base, '/contacts/:id', { id })`: https://urlcat.org. Names of the path's parameters are left as they stand. */
const urlcat: Helper = (_ev, [base, path]) => (path === undefined || path.type === 'object' ? base : joinUrl(base, path, 'slash'));

const grouped: Helper = (ev, [options], node, at) => groupedVariables(ev, options, node, at);

const defaultOf: Helper = (ev, [options], node, at) => options && ev.member(options, 'default', node, at);

const unwrapped: Helper = (ev, [value], node, at) =>
  value !== undefined && optionsOf(value).every(({ type }) => type === 'object') ? ev.member(value, 'value', node, at) : value;

const vue: Readonly<Record<string, Helper>> = {
  ref: keptAs('value', first),
  shallowRef: keptAs('value', first),
  computed: keptAs('value', returned),
  reactive: first,
  readonly: first,
  toRaw: first,
  markRaw: first,
  unref: unwrapped,
};

/** By name, for what is global; by `module:name` for what is imported. */
export const helpers: Readonly<Record<string, Helper>> = {
  'react:useMemo': returned,
  'react:useCallback': first,
  'react:cache': first,
  'react:useRef': keptAs('current', first),
  'react:useState': state,
  // Nuxt imports Vue's by itself.
  ...vue,
  ...Object.fromEntries(Object.entries(vue).map(([name, helper]) => [`vue:${name}`, helper])),
  ...Object.fromEntries(
    ['once', 'memoize', 'cloneDeep'].flatMap((name) => [
      [`lodash:${name}`, first],
      [`lodash/${name}:`, first],
      [`lodash.${name}:`, first],
    ]),
  ),
  'urlcat:': urlcat,
  'zod:z.object': first,
  'zod:object': first,
  'envalid:cleanEnv': (_ev, [given, schema]) => (schema?.type === 'object' ? parsedBy(schema, given) : undefined),
  ...Object.fromEntries(['str', 'url', 'host'].map((name) => [`envalid:${name}`, defaultOf])),
  ...Object.fromEntries(['core', 'nextjs', 'nuxt'].map((name) => [`@t3-oss/env-${name}:createEnv`, grouped])),
  '@nestjs/config:registerAs': (ev, [, fn], node, at) => returned(ev, fn === undefined ? [] : [fn], node, at),
};
