/**
 * What documents say right behind the name of a variable, which holds whatever else the sentence or the row is about: ``(`TEXTS_URL` + `/v1`, key in `x-api-key`)``,
 * ``| `TEXTS_URL` (+ `/v1/...`) | `x-api-key` |``, `` `TEXTS_API_KEY` (sent as `x-api-key`) ``.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { TextRange } from '../../formats/text.ts';
import { isDoubtful, isOfAnotherProgram } from './doubts.ts';
import type { Subject } from './subjects.ts';
import { isCalledAs, isItsKey, ofReceivers } from './table-rows.ts';

interface Beside extends TextRange {
  readonly subjects: readonly Subject[];
  readonly hasOwnHeader?: boolean;
  readonly isOfItsName?: boolean;
  readonly isSentOut?: boolean;
  /** Where the version ends that is put behind the address. */
  readonly endingAt?: number;
}

const name = String.raw`\x60(?<name>[A-Z][A-Z\d]*(?:_[A-Z\d]+)+)\x60`;
const header = String.raw`\x60${v1Auth.field}\x60`;
/** The version is put behind what the variable holds; with it stands the header of what is asked there, if any. */
const ending = new RegExp(
  String.raw`${name}\s*(?:\(\s*)?\+\s*\x60/v1(?=/?(?:\.{3}|…|\*)?\x60)[^\x60]*\x60\)?(?:(?:,\s(?:and\s)?(?:the\s|its\s|with\s|our\s)*key\s(?:in|as)\s(?:the\s)?|\s*\|\s*)${header}(?=[\s)|.,]))?`,
  'gi',
);
const key = new RegExp(
  String.raw`${name}\s*\((?:(?:it\s)?(?:is|gets|goes)\s)?(?:sent|passed|out)(?:\s(?:with|on)\s(?:each|every|all)\srequests?)?\s(?:as|in)\s(?:the\s|an?\s)?(?:header\s)?${header}(?=[\s).,;])`,
  'gi',
);

/**
 * @param said a paragraph
 * @param withoutNames takes out what the service is called
 */
export function besideVariables(said: string, withoutNames: (text: string) => string): Beside[] {
  return partsOf(said).flatMap(({ start, end, around }) => {
    const part = said.slice(start, end);
    const found = [...part.matchAll(ending), ...part.matchAll(key)];
    const rest = [ending, key, anyHeader].reduce((text, each) => text.replaceAll(each, ' '), around);
    if (isDoubtful(rest) || isOfAnotherProgram(rest)) return [];
    return found.flatMap(({ index, 0: all, groups: { name: variable = '' } = {} }): Beside[] => {
      const at = { start: start + index, end: start + index + all.length, subjects: [{ kind: 'variable', name: variable } as const] };
      const version = all.search(/(?<=`\/)v1/i);
      if (variable !== variable.toUpperCase()) return [];
      if (version >= 0) return [{ ...at, hasOwnHeader: true, endingAt: at.start + version + 'v1'.length }];
      const isOfItsName = isCalledAs(withoutNames, variable);
      const isSentOut = isItsKey(withoutNames(variable.replaceAll('_', ' ')));
      return ofReceivers.test(variable.replaceAll('_', ' ')) ? [] : [{ ...at, isOfItsName, isSentOut }];
    });
  });
}

/** A row with the head of its table; else all, but for what leads to the code below it: `To see what was sent:` */
function partsOf(said: string): readonly (TextRange & { readonly around: string })[] {
  if (!/^[ \t]*\|/.test(said)) return [{ start: 0, end: said.length, around: said.replace(leading, '') }];
  const [head = ''] = said.split('\n', 1);
  return Array.from(said.matchAll(/[^\n]+/g), ({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
    around: `${head}\n${line}`,
  }));
}
const leading = /(?<=[.!?]\s)To\s[^.!?]*:\s*$/;
const anyHeader = new RegExp(header, 'gi');
