/** url-join: https://github.com/jfromaniello/url-join, and what joins like it. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { flat, joinUrl } from '../../evaluate/values/text.ts';
import { choiceOf, optionsOf, partsOf, type Value } from '../../evaluate/values/values.ts';

/** A slash between all, but before a query or a fragment. */
const joined: LibraryFunction = (_ev, args) =>
  args
    .flatMap((arg) => (arg.type === 'list' ? arg.items : arg))
    .reduce<Value | undefined>((before, each) => choiceOf(optionsOf(each).flatMap((part) => behind(before, part) ?? [])), undefined);

const behind = (before: Value | undefined, part: Value): Value | undefined =>
  joinUrl(before, part, /^[?&#]/.test(flat(partsOf(part))) ? 'append' : 'slash');

export const urlJoinLibrary: ClientRule = { name: 'url-join', functions: { 'url-join:': joined } };
