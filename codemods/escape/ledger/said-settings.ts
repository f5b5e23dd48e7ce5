/** Addresses that a paragraph calls the value or the default of a variable or of an option: data, which says the same whatever the words around it are. */
import { isDoubtful, isOfAnotherProgram } from './doubts.ts';
import { type Mentioned, restOf, type Row } from './subjects.ts';

/** `NAME` (default `…`), up to the address. */
const beforeDefault = /`([A-Za-z_]\w*)`\s*\((?:by\s)?default(?:s\sto|:)?\s*`?$/;

/**
 * @param said a paragraph
 * @returns the addresses in it that it calls the default of a variable or of an option, by places in it
 */
export function defaultsIn(said: string, mentions: readonly Mentioned[]): Row[] {
  if (isDoubtful(restOf(said, mentions))) return [];
  return mentions.flatMap(({ kind, start, end }): Row[] => {
    const [, name] = (kind === 'address' && beforeDefault.exec(said.slice(Math.max(0, start - longestName), start))) || [];
    if (name === undefined) return [];
    return [{ start, end, subjects: [{ kind: /[a-z]/.test(name) ? 'option' : 'variable', name }] }];
  });
}

/** `NAME=…`, or `NAME`, default `…`, up to the address. */
const beforeSetting =
  /(?<![\w$.-])([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)(?:\s?=\s?["']?|`(?:\sis|(?:,|:|\s*[–—-])?\s*\(?(?:optional,?\s)?(?:by\s)?default(?:s\sto|\sis|:)?)\s*`?)$/;

/**
 * @param said a paragraph
 * @returns the addresses in it that a variable is to be set to, or is by default, by places in it: data, whatever the words around it are
 */
export function settingsIn(said: string, mentions: readonly Mentioned[]): Row[] {
  const rest = restOf(said, mentions);
  if (isDoubtful(rest) || isOfAnotherProgram(rest)) return [];
  return mentions.flatMap(({ kind, start, end }): Row[] => {
    const [, name] = (kind === 'address' && beforeSetting.exec(said.slice(Math.max(0, start - longestName), start))) || [];
    return name === undefined ? [] : [{ start, end, subjects: [{ kind: 'variable', name }] }];
  });
}

/** In characters, with what stands behind it. */
const longestName = 100;
