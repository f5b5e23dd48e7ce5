/** What documents say of how the address in a variable ends: `TEXTS_URL`, without `/v1`. With what the variable holds, or what is put behind it, that changes, too. */
import type { TextRange } from '../../formats/text.ts';
import { rangesIn } from './sentences.ts';
import { settingsOf, type Subject } from './subjects.ts';
import { isOfForms, variablesIn } from './words.ts';

interface Ending extends TextRange {
  readonly subjects: readonly Subject[];
}

/** The version alone, said to be there or not: ``including `/v1` ``, ``ends in `/v1` ``, `no trailing /v1`, ``paths carry `/v1` ``. */
const ending = new RegExp(
  [
    String.raw`\b(?:with|without|incl(?:uding|udes?|\.)?|exclud(?:ing|es?)|end(?:s|ing)?\s(?:with|in|on)|carry|carries|have|has|contains?|adds?|appends?|puts?|no|not)`,
    String.raw`(?:\s(?:the|a|an|its|any|trailing|final|version|suffix|prefix|path|segment))*\s+`,
    String.raw`(?:\x60\/?v1\/?\x60|\/v1\/?(?=[),;!]*\.?(?:\s|$)))`,
  ].join(''),
  'gi',
);

const settingsFile = /`[\w./-]*\.(?:env|json|jsonc|ya?ml|toml|vars|example)(?:\.\w+)*`/g;

/**
 * @param said a paragraph
 * @param isOfNone whether a text has no address, route or header besides
 * @param addressIn our address in a text, without a version
 * @returns the versions by which it says how the address in a variable ends, by places in it: each in a sentence or row of that variable alone, of which every word is known
 */
export function endingsIn(
  said: string,
  isOfNone: (text: string) => boolean,
  withoutNames: (text: string) => string,
  addressIn: (text: string) => string | undefined,
): Ending[] {
  const [, head, body = ''] = /^([ \t]*\|[^\n]*\n)([^]*)$/.exec(said) ?? [];
  if (head !== undefined && !isOfForms(withoutNames(head.replaceAll(/\boptions?\b/gi, ' ')))) return [];
  const parts = head === undefined ? rangesIn(said, '.!?') : rowsIn(body, head.length);
  return parts.flatMap(({ start, end }) => {
    const part = said.slice(start, end);
    const { subject, named } = ofVariable(part) ?? ofOption(part, addressIn) ?? {};
    if (subject === undefined || named === undefined || !isOfNone(part)) return [];
    if (!isOfForms(withoutNames(named.replaceAll(ending, ' ').replaceAll(settingsFile, ' ')))) return [];
    return Array.from(part.matchAll(ending)).flatMap(({ index, 0: found }): Ending[] => {
      const at = start + index + (/\/?v1/.exec(found)?.index ?? 0);
      const end = start + index + found.lastIndexOf('v1') + 'v1'.length;
      return part.indexOf(subject.name) < index ? [{ start: at, end, subjects: [subject] }] : [];
    });
  });
}

interface Named {
  readonly subject: Subject;
  /** What is said besides, of which all has to be known. */
  readonly named: string;
}

function ofVariable(part: string): Named | undefined {
  const [name, ...others] = variablesIn(part);
  return name === undefined || others.length > 0 ? undefined : { subject: { kind: 'variable', name }, named: part };
}

/** `` | `baseUrl` | `https://…` | paths carry `/v1` | ``: what the option has by default says whose it is. */
function ofOption(part: string, addressIn: (text: string) => string | undefined): Named | undefined {
  const [subject, ...others] = settingsOf(part);
  const address = addressIn(part);
  if (subject?.kind !== 'option' || others.length > 0 || address === undefined || variablesIn(part).length > 0) return undefined;
  return { subject, named: part.replace(subject.name, ' ').replace(address, ' ') };
}

const rowsIn = (body: string, by: number): TextRange[] =>
  Array.from(body.matchAll(/[^\n]+/g), ({ index, 0: line }) => ({ start: by + index, end: by + index + line.length }));
