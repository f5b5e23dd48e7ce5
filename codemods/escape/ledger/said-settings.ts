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
const setTo = new RegExp(String.raw`\x60${variable}\x60\s+to\s+[\x60<]?$`);
const value = String.raw`(?:[\x60<]?https?://[^\s\x60<>]+?[\x60>]?|(?:the|your|an?)\s(?:API\s)?key(?:\sof\sthe\s\*?[\w-]+\*?\sworkspace)?)`;
const assigned = String.raw`\x60${variable}\x60\s+to\s+${value}`;
/** A step of a list that runs a command or sets variables, and says no more: whoever else has a menu with such a variable would be named. */
const step = new RegExp(
  String.raw`^\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:(?:Run\s)?\x60[^\x60\n]+\x60|Set\s(?:the\s(?:environment\s)?variables?\s)?${assigned}(?:,?\s+and\s+${assigned})*)[.;,]?\s*$`,
);
const isOfSteps = (said: string): boolean => said.split(/\n(?=\s*(?:[-*+]|\d+[.)])\s)/).every((each) => step.test(each));
/** `--url …` alone in code, up to the address. */
const beforeFlag = /(?<![\w\x60])`--([a-z][a-z\d]*(?:-[a-z\d]+)*)[ =]$/;

/**
 * @param said a paragraph
 * @param isLedInByUs whether what stands above it is understood
 * @returns the addresses in it that a variable or an option is to be set to, or is by default, by places in it: data, whatever the words around it are
 */
export function settingsIn(said: string, mentions: readonly Mentioned[], isLedInByUs: boolean): Row[] {
  const rest = restOf(said, mentions);
  if (isDoubtful(rest) || isOfAnotherProgram(rest)) return [];
  const areSteps = isLedInByUs && isOfSteps(said);
  return mentions.flatMap(({ kind, start, end }): Row[] => {
    if (kind !== 'address') return [];
    const before = said.slice(Math.max(0, start - longestName), start);
    const [, name] = beforeSetting.exec(before) ?? (areSteps ? setTo.exec(before) : undefined) ?? [];
    const [, flag] = beforeFlag.exec(before) ?? [];
    const subject =
      name === undefined ? flag && ({ kind: 'option', name: inCamelCase(flag) } as const) : ({ kind: 'variable', name } as const);
    return subject ? [{ start, end, subjects: [subject] }] : [];
  });
}

/** In characters, with what stands behind it. */
const longestName = 160;
