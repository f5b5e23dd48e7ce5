/** Packages that write queries, alone or behind an address: https://github.com/ljharb/qs, https://github.com/sindresorhus/query-string, https://ufo.unjs.io. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { concatenated, joinUrl } from '../../evaluate/values/text.ts';
import { unknown, type Value } from '../../evaluate/values/values.ts';
import { textOf } from '../shapes.ts';

/** A query is behind the path, whatever it says. */
const query: LibraryFunction = (_ev, _args, node, { module }) => concatenated([textOf('?'), unknown(node, module)]);

/** `stringify(params, { addQueryPrefix: true })`. */
const stringify: LibraryFunction = (ev, [params, options], node, at) => {
  const prefix = options?.type === 'object' ? ev.member(options, 'addQueryPrefix', node, at) : undefined;
  return prefix?.type === 'literal' && prefix.value === true ? query(ev, params === undefined ? [] : [params], node, at) : undefined;
};

const withQuery = (address: Value, behind: Value | undefined): Value | undefined =>
  behind === undefined ? undefined : concatenated([address, behind]);

export const queryLibrary: ClientRule = {
  name: 'queries',
  functions: {
    'qs:stringify': stringify,
    'query-string:stringifyUrl': (ev, [address], node, at) =>
      address && withQuery(ev.member(address, 'url', node, at), query(ev, [], node, at)),
    'ufo:withQuery': (ev, [address], node, at) => address && withQuery(address, query(ev, [], node, at)),
    'ufo:joinURL': (_ev, args) => args.reduce<Value | undefined>((before, each) => joinUrl(before, each, 'slash'), undefined),
  },
};
