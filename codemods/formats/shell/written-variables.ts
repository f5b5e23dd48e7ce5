/** Variables that a text sets for others: `echo "NAME=https://…" >> .env`, `heroku config:set NAME=https://…`, a line of a here-document. */
import { type Text, slice } from '../text.ts';
import type { Definition } from '../variables.ts';

/** An address without variables in it, which ends where a shell, a list or `sed` would end it. */
const written = /(?<![\w$?&%-])(?<name>[A-Z][A-Z0-9_]*)=["']?(?<value>https?:\/\/[^\s"'`,;|&<>(){}#\\$]+)(?=[\s"'`,;|&<>)#\\]|$)/dg;
const comment = /^\s*(?:#|\/\/)/;

/** @param isKnown whether what begins there is known to be set otherwise */
export const variablesIn = (text: Text, isKnown: (offset: number) => boolean = () => false): Definition[] =>
  Array.from(text.value.matchAll(written), ({ index, groups = {}, indices }): Definition[] => {
    const [start = 0, end] = indices?.groups?.['value'] ?? [];
    const line = text.value.slice(text.value.lastIndexOf('\n', index) + 1, index);
    const offset = text.at[start];
    if (offset === undefined || isKnown(offset) || comment.test(line)) return [];
    return [{ name: groups['name'] ?? '', value: slice(text, start, end) }];
  }).flat();
