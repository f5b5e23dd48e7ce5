/** Addresses that a paragraph calls the value or the default of a variable or of an option: data, which says the same whatever the words around it are. */
import { isDoubtful, isOfAnotherProgram } from './doubts.ts';
import { inCamelCase, type Mentioned, restOf, type Row } from './subjects.ts';

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

const variable = String.raw`(?<![\w$.-])([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)`;
/** `NAME=…`, or `NAME`, default `…`, up to the address. */
const beforeSetting = new RegExp(
  String.raw`${variable}(?:\s?=\s?["']?|\x60(?:\sis|(?:,|:|\s*[–—-])?\s*\(?(?:optional,?\s)?(?:by\s)?default(?:s\sto|\sis|:)?)\s*\x60?)$`,
);
/** Set `NAME` to `…`, up to the address. */
const setTo = new RegExp(String.raw`\b[Ss]et(?:ting)?\s[^.!?\n]{0,60}?\x60${variable}\x60\s+to\s+[\x60<]?$`);
/** `--url …` alone in code, up to the address. */
const beforeFlag = /(?<![\w\x60])`--([a-z][a-z\d]*(?:-[a-z\d]+)*)[ =]$/;

/**
 * @param said a paragraph
 * @returns the addresses in it that a variable or an option is to be set to, or is by default, by places in it: data, whatever the words around it are
 */
export function settingsIn(said: string, mentions: readonly Mentioned[]): Row[] {
  const rest = restOf(said, mentions);
  if (isDoubtful(rest) || isOfAnotherProgram(rest)) return [];
  return mentions.flatMap(({ kind, start, end }): Row[] => {
    if (kind !== 'address') return [];
    const before = said.slice(Math.max(0, start - longestName), start);
    const [, name] = beforeSetting.exec(before) ?? setTo.exec(before) ?? [];
    const [, flag] = beforeFlag.exec(before) ?? [];
    const subject =
      name === undefined ? flag && ({ kind: 'option', name: inCamelCase(flag) } as const) : ({ kind: 'variable', name } as const);
    return subject ? [{ start, end, subjects: [subject] }] : [];
  });
}

/** In characters, with what stands behind it. */
const longestName = 160;
