/** Functions that call back, made to give a promise: by Node, bluebird and their like. What is called back with comes last, and is no part of a request. */
import { boundTo } from '../../evaluate/language/builtins.ts';
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { first } from '../pass-through.ts';

/** `Promise.promisify(api.post, { context: api })` */
const promisified: LibraryFunction = (ev, [fn, options], node, at) =>
  fn?.type === 'function' && options?.type === 'object' ? boundTo(fn, ev.member(options, 'context', node, at)) : fn;

const promisifying = [
  'util:promisify',
  'bluebird:promisify',
  'es6-promisify:promisify',
  'es6-promisify:',
  'pify:',
  'pify:default',
  'thenify:',
];

export const promisifiedFunctions: ClientRule = {
  name: 'promisified',
  functions: {
    ...Object.fromEntries(promisifying.map((name) => [name, promisified])),
    // What it puts beside its methods: evaluate/calls/promisified-names.ts.
    'bluebird:promisifyAll': first,
  },
};
