/** Rows of a table that say where a service is and by which header it is asked, whatever the page around them is about. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { TextRange } from '../../formats/text.ts';
import type { Mentioned } from './subjects.ts';

const label = (words: string): string => String.raw`^[ \t]*\|[ \t]*\**(?:${words})\**[ \t]*\|[ \t]*`;
const end = String.raw`[ \t]*\|[ \t]*(?:\r?\n|$)`;
/** `| Base URL | https://… |` with `| Auth | header x-api-key |` right below it. */
const baseAndKey = new RegExp(
  [
    label(String.raw`(?:API\s)?(?:base(?:\s(?:URL|URI|address|path))?|URL|host|endpoint|server)`),
    String.raw`[\x60<]?https?://[^\s\x60<>|]+[\x60>]?${end}`,
    label(String.raw`auth\w*(?:\sheader)?|header|API\skey`),
    String.raw`(?:(?:your\s|the\s)?(?:API\s)?key\s(?:in|as)\s)?(?:the\s)?(?:HTTP\s|request\s)?(?:header\s)?\x60${v1Auth.field}(?::\s[^\x60|]+)?\x60(?:\s(?:request\s)?header)?${end}`,
  ].join(''),
  'gim',
);

/**
 * @param said a table
 * @param mentionsIn what is said of the service within a text
 * @returns such rows of the service, two by two
 */
export const basesOf = (said: string, mentionsIn: (text: string) => readonly Mentioned[]): TextRange[] =>
  Array.from(said.matchAll(baseAndKey)).flatMap(({ index: start, 0: rows }): TextRange[] => {
    const kinds = mentionsIn(rows).map(({ kind }) => kind);
    return kinds.join(' ') === 'address header' ? [{ start, end: start + rows.length }] : [];
  });
