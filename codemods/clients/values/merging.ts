/** Packages that make one object of several. Which of two values counts where both have one is left open: either may. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { merged, mergedDeep } from '../../evaluate/writes/object-assign.ts';
import { unknown, type Value } from '../../evaluate/values/values.ts';

/** `extend(true, {}, a, b)`: the first argument says how deep. */
const isTrue = (value: Value | undefined): boolean => value?.type === 'literal' && typeof value.value === 'boolean';

const shallow: LibraryFunction = (_ev, args, node, at) => merged(args, node, at);
const deep: LibraryFunction = (ev, args, node, at) => mergedDeep(ev, args, node, at);
const asTold: LibraryFunction = (ev, args, node, at) =>
  isTrue(args[0]) ? mergedDeep(ev, args.slice(1), node, at) : merged(args, node, at);
/** `defaults(given, ours)`: what comes first counts. */
const reversed =
  (merge: LibraryFunction): LibraryFunction =>
  (ev, args, node, at) =>
    merge(ev, args.toReversed(), node, at);
/** `deepmerge.all([a, b])` */
const ofList =
  (merge: LibraryFunction): LibraryFunction =>
  (ev, [list], node, at) =>
    list?.type === 'list' && !list.isOpen ? merge(ev, list.items, node, at) : undefined;
/** `mergeWith(a, b, choose)`: a function says what becomes of each value. */
const byFunction: LibraryFunction = (ev, args, node, at) => mergedDeep(ev, [...args.slice(0, -1), unknown(node, at.module)], node, at);
/** `deepmerge(a, b, options)` */
const ofTwo: LibraryFunction = (ev, args, node, at) => mergedDeep(ev, args.slice(0, 2), node, at);

const lodash: Readonly<Record<string, LibraryFunction>> = {
  assign: shallow,
  assignIn: shallow,
  extend: shallow,
  merge: deep,
  mergeWith: byFunction,
  defaults: reversed(shallow),
  defaultsDeep: reversed(deep),
};

/** Each function of lodash by all the ways to import it. */
const ofLodash = Object.entries(lodash).flatMap(([name, merge]) =>
  [
    ...['lodash', 'lodash-es', 'underscore'].map((module) => `${module}:${name}`),
    ...[`lodash/${name}`, `lodash/${name}.js`, `lodash-es/${name}.js`, `lodash.${name.toLowerCase()}`].map((module) => `${module}:`),
  ].map((each) => [each, merge] as const),
);

export const mergingLibraries: ClientRule = {
  name: 'deepmerge',
  functions: {
    ...Object.fromEntries(ofLodash),
    'lodash/fp:assign': shallow,
    'lodash/fp:merge': deep,
    'lodash/fp:mergeAll': ofList(deep),
    '_.merge': deep,
    '_.extend': shallow,
    '_.assign': shallow,
    '_.defaults': reversed(shallow),
    '_.defaultsDeep': reversed(deep),
    'deepmerge:': ofTwo,
    'deepmerge:all': ofList(deep),
    'deepmerge-ts:deepmerge': deep,
    'ts-deepmerge:': deep,
    'ts-deepmerge:merge': deep,
    'es-toolkit:merge': deep,
    'es-toolkit:toMerged': deep,
    'es-toolkit/object:merge': deep,
    'es-toolkit/compat:merge': deep,
    'es-toolkit/compat:defaultsDeep': reversed(deep),
    'merge-deep:': deep,
    'deep-extend:': deep,
    'mixin-deep:': deep,
    'defaults-deep:': reversed(deep),
    'defu:': reversed(deep),
    'defu:defu': reversed(deep),
    'object-assign:': shallow,
    'xtend:': shallow,
    'extend:': asTold,
    'jquery:extend': asTold,
    '$.extend': asTold,
    'jQuery.extend': asTold,
    'ramda:mergeRight': shallow,
    'ramda:mergeLeft': reversed(shallow),
    'ramda:mergeDeepRight': deep,
    'ramda:mergeDeepLeft': reversed(deep),
    'ramda:mergeAll': ofList(shallow),
  },
};
