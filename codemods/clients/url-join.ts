/** url-join: https://github.com/jfromaniello/url-join. */
import type { ClientRule, LibraryFunction } from '../evaluate/client-rule.ts';
import { joinUrl } from '../evaluate/text.ts';
import type { Value } from '../evaluate/values.ts';

const joined: LibraryFunction = (_ev, args) => args.reduce<Value | undefined>((before, each) => joinUrl(before, each, 'slash'), undefined);

export const urlJoinLibrary: ClientRule = { name: 'url-join', functions: { 'url-join:': joined } };
