/**
 * Packages that fill templates of paths: https://github.com/pillarjs/path-to-regexp, https://github.com/bramstein/url-template,
 * https://reactrouter.com/api/utils/generatePath. Names of parameters are left as they stand.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { concatenated, flat, mapText, sliceParts } from '../../evaluate/values/text.ts';
import { type Entry, type MethodValue, partsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import { textOf } from '../shapes.ts';

/** A function that gives a text whatever it is called with. */
const giving = (receiver: Value): MethodValue => ({ type: 'method', receiver, path: ['toString'] });

/** `compile('/contacts/:id')(params)` */
const compile: LibraryFunction = (_ev, [template]) => template && giving(template);

/** `parseTemplate('/contacts{?page}').expand(params)`: what begins a query ends the path. */
const parseTemplate: LibraryFunction = (_ev, [template], node, { module }) => {
  if (template === undefined) return undefined;
  const start = flat(partsOf(template)).search(/\{[?&#]/);
  const path = start === -1 ? template : mapText(template, (parts) => sliceParts(parts, 0, start));
  const expanded = start === -1 ? path : concatenated([path, textOf('?'), unknown(node, module)]);
  const expand: Entry = { name: 'expand', key: undefined, node, module, valueNode: undefined, value: () => giving(expanded) };
  return { type: 'object', node, module, entries: [expand], unknown: [] };
};

const first: LibraryFunction = (_ev, [template]) => template;

export const pathTemplateLibrary: ClientRule = {
  name: 'path-templates',
  functions: {
    'path-to-regexp:compile': compile,
    'url-template:parse': parseTemplate,
    'url-template:parseTemplate': parseTemplate,
    'react-router:generatePath': first,
    'react-router-dom:generatePath': first,
  },
};
