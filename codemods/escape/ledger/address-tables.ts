/** Tables whose cells have whole addresses, or routes behind what the service is called. */
import { isOfAnotherProgram, isOfAnotherTime } from './doubts.ts';
import { code, type Mentioned, restOf, type Row } from './subjects.ts';

interface Spoken extends Mentioned {
  /** Which an address or a route may be of. */
  readonly endpoints: readonly unknown[];
}

/** Methods and whole addresses alone, or routes behind what the service is called: `Parlo `/v1/contacts``. */
const isAddressCell = (cell: string): boolean => /^(?:[\s`*,:;<>]|and\b|then\b)*$/.test(cell);

/** What is known of words in a table. */
interface Words {
  /** Takes out what the service is called. */
  readonly withoutNames: (said: string) => string;
  /** Whether no word of a text may be whoever else asks. */
  readonly isKnown: (said: string) => boolean;
}

/**
 * @param said a whole table
 * @returns all of it that speaks of the service, where each cell that does has a method and an address, or several, and nothing else: whoever else is spoken of
 *   beside it, an address says by itself whose it is, and so does the service's name in front of a route. Half a table on v2 would say that there are two versions
 */
export function addressesOf(said: string, mentionsIn: (text: string) => readonly Spoken[], { withoutNames, isKnown }: Words): Row[] {
  const mentions = mentionsIn(said);
  const [first] = mentions;
  const [, head = '', body = ''] = /^([^\n]*)\n\s*\|[\s:|-]+\n([^]*)$/.exec(said) ?? [];
  if (first === undefined || !mentions.every(({ kind, endpoints }) => kind !== 'header' && endpoints.length > 0)) return [];
  const rest = restOf(said, mentions).replaceAll(ownPath, ' ');
  if (body === '' || isOfAnotherTime(rest) || isOfAnotherProgram(rest) || !isKnown(head.replaceAll(ofUpstreams, ' '))) return [];
  const isAlone = mentions.every(({ kind, start, end }) => {
    const [from, until] = [said.lastIndexOf('|', start) + 1, said.indexOf('|', end)];
    const cell = said.slice(from, until);
    const own = restOf(cell, mentionsIn(cell));
    const isNamed = kind === 'address' || isNameAlone(cell.slice(0, mentionsIn(cell)[0]?.start), withoutNames);
    return until > 0 && !cell.includes('\n') && isNamed && isAddressCell(kind === 'address' ? own : withoutNames(own));
  });
  const isOfCode = Array.from(body.matchAll(/[^\n]+/g)).every(([line]) => {
    const own = mentionsIn(line);
    return own.length === 0 || isKnown(restOf(line, own).replaceAll(/`\s*`/g, ' ').replaceAll(code, ' '));
  });
  const start = said.lastIndexOf('\n', first.start) + 1;
  const isNamed = mentions.some(({ kind }) => kind === 'route');
  return isAlone && isOfCode ? [{ start, end: said.length, subjects: [], isAlone, ...(isNamed && { isNamed }) }] : [];
}

const isNameAlone = (said: string, withoutNames: (said: string) => string): boolean =>
  withoutNames(said) !== said && isAddressCell(withoutNames(said));

/** What somebody answers, by whatever version: `GET /api/v1/health`. */
const ownPath = /(?<=[\s\x60])\/[\w/:{}-]*/g;

/** In a head: what is asked for here, and there. */
const ofUpstreams =
  /\b(?:ours|own|local|lambdas?|upstream|hooks?|methods?|functions?|commands?|tools?|actions?|operations?|procedures?|triggers?)\b/gi;
