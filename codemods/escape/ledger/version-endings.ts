/**
 * What documents say of the version in a variable: how the address in it ends, `TEXTS_URL`, without `/v1`, or that it is the version, `TEXTS_VERSION`, by default `v1`. With
 * what the variable holds, or what is put behind it, that changes, too.
 */
import type { TextRange } from '../../formats/text.ts';
import { rangesIn } from './sentences.ts';
import { option, type Subject, variable } from './subjects.ts';
import { isOfForms, variablesIn } from './words.ts';

interface Ending extends TextRange {
  readonly subjects: readonly Subject[];
}

/** The version alone, said to be there or not: ``including `/v1` ``, ``ends in `/v1` ``, `no trailing /v1`, ``paths carry `/v1` ``. */
export const ending = new RegExp(
  [
    String.raw`\b(?:with|without|incl(?:uding|udes?|\.)?|exclud(?:ing|es?)|end(?:s|ing)?\s(?:with|in|on)|carry|carries|have|has|contains?|adds?|appends?|puts?|no|not)`,
    String.raw`(?:\s(?:the|a|an|its|any|trailing|final|version|suffix|prefix|path|segment))*\s+`,
    String.raw`(?:\x60\/?v1\/?\x60|\/v1\/?(?=[),;!]*\.?(?:\s|$)))`,
  ].join(''),
  'gi',
);

/** The version in a cell of its own, or said to be the default. */
const wholeVersion = /(?<=\|\s*|\bdefaults?(?:\sto|\sis|:)?\s)`\/?v1`(?=\s*[|).,]|\s*$)/gi;

const settingsFile = /`[\w./-]*\.(?:env|json|jsonc|ya?ml|toml|vars|example)(?:\.\w+)*`/g;

/**
 * @param said a paragraph
 * @param isOfNone whether a text has no address, route or header besides
 * @returns the versions by which it says how the address in a variable ends, by places in it: each in a sentence or row of that variable alone, of which every word is known
 */
export function endingsIn(said: string, isOfNone: (text: string) => boolean, withoutNames: (text: string) => string): Ending[] {
  const [, head, body = ''] = /^([ \t]*\|[^\n]*\n)([^]*)$/.exec(said) ?? [];
  if (head !== undefined && !isOfForms(withoutNames(head))) return [];
  const parts = head === undefined ? rangesIn(said, '.!?') : rowsIn(body, head.length);
  return parts.flatMap(({ start, end }) => {
    const part = said.slice(start, end);
    const rest = withoutNames(part.replaceAll(ending, ' ').replaceAll(settingsFile, ' '));
    const [name, ...others] = variablesIn(part);
    if (name === undefined || others.length > 0 || !isOfNone(part) || !isOfForms(rest)) return [];
    return Array.from(part.matchAll(ending)).flatMap(({ index, 0: found }): Ending[] => {
      const at = start + index + (/\/?v1/.exec(found)?.index ?? 0);
      const end = start + index + found.lastIndexOf('v1') + 'v1'.length;
      return part.indexOf(name) < index ? [{ start: at, end, subjects: [{ kind: 'variable', name }] }] : [];
    });
  });
}

const rowsIn = (body: string, by: number): TextRange[] =>
  Array.from(body.matchAll(/[^\n]+/g), ({ index, 0: line }) => ({ start: by + index, end: by + index + line.length }));

/**
 * @param said a table or a list
 * @returns the versions that it gives as the value of a variable or of an option, by places in it: each in a row of that one alone, of which every word is known
 */
export function versionsIn(said: string, isOfNone: (text: string) => boolean, withoutNames: (text: string) => string): Ending[] {
  const [, head = '', body = ''] = /^([ \t]*\|[^\n]*\n)?([^]*)$/.exec(said) ?? [];
  if (!isOfForms(withoutNames(head))) return [];
  return rowsIn(body, head.length).flatMap(({ start, end }) => {
    const row = said.slice(start, end);
    const [subject, name] = subjectOf(row);
    const found = Array.from(row.matchAll(wholeVersion)).filter(({ index }) => !denying.test(cellAround(row, index)));
    const rest = withoutNames(row.replaceAll(wholeVersion, ' ').replace(name, ' '));
    if (subject === undefined || variablesIn(rest).length > 0 || !isOfNone(row) || !isOfForms(rest)) return [];
    return found.map(({ index, 0: { length } }): Ending => ({
      start: start + index + 1,
      end: start + index + length - 1,
      subjects: [subject],
    }));
  });
}

/** `any but the default `v1`` */
const denying = /\b(?:no|not|any|but|except|unless|never)\b/i;
const cellAround = (row: string, at: number): string => row.slice(row.lastIndexOf('|', at) + 1).split('|', 1)[0] ?? '';

/** A name that is not of another's settings, as `parts.version` may be. */
function subjectOf(row: string): readonly [subject: Subject | undefined, name: string] {
  const [, ofVariable] = variable.exec(row) ?? [];
  const [found = '', ofOption = ''] = option.exec(row) ?? [];
  if (ofVariable !== undefined) return [/\W/.test(ofVariable) ? undefined : { kind: 'variable', name: ofVariable }, ofVariable];
  return [ofOption === '' || found.includes('.') ? undefined : { kind: 'option', name: ofOption }, ofOption];
}
