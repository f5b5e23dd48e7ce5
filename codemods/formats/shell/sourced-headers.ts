/**
 * Headers with the key that a script has in a variable of a file that it sources: `. ./env.sh`, `curl -H "$AUTH_HEADER"`. They stand in that file, and what
 * it gives them to is read with it, as a folder of a collection is: what speaks against one of these requests holds the header, and with it all others.
 */
import { positionsOf } from '../../syntax/position.ts';
import type { Span } from '../../model.ts';
import { v1Auth } from '../../../src/contract/auth.ts';
import type { Stretch, WrittenRequest } from '../reading.ts';
import { type Text, type TextRange, plain } from '../text.ts';
import { referencesIn, scopeOf } from '../variables.ts';
import { type Header, headerEntry, isKeyField, nodeAt } from '../written.ts';
import { headerOf } from './headers.ts';
import { runsIn } from './locals.ts';
import { type Script, sourcedBy } from './sourced.ts';

export interface SourcedHeader extends Header {
  /** The file that it stands in. */
  readonly from: Stretch;
  readonly variable: string;
}

/** One that a command is given. */
export interface SentHeader extends SourcedHeader {
  /** Where that is written; undefined where it is given in a roundabout way. */
  readonly sentAt: Span | undefined;
}

export interface Sourced {
  /** What a word of a command stands for; several where the script puts something there, too. */
  at(word: string): SourcedHeader | 'several' | undefined;
  /** A request that is given such headers. */
  given(request: WrittenRequest, keys: readonly SentHeader[]): WrittenRequest;
}

export const nothingSourced: Sourced = { at: () => undefined, given: (request) => request };

/** Others read such a variable by its name, and those that are called otherwise are nobody's environment. */
const variableName = /^[A-Z][A-Z\d_]*$/;

/** @param others those that may be sourced */
export function sourcedBeside(script: Script, others: readonly Script[]): Sourced {
  const at = headersAt(script, others);
  return at === undefined
    ? nothingSourced
    : { at, given: (request, keys) => (keys.length === 0 ? request : { ...request, isKeyless: true }) };
}

/** The requests of all that source a file which are given a header of it, and the variables that hold these, with where they are given to them. */
export function requestsGiven(
  stretch: Stretch,
  others: readonly Script[],
  read: (script: Script, sourced: Sourced) => readonly WrittenRequest[],
): { readonly requests: readonly WrittenRequest[]; readonly variables: ReadonlyMap<string, readonly Span[]> } {
  const { file } = stretch.source;
  const variables = new Map<string, Span[]>();
  if (!holdsKey(stretch.text)) return { requests: [], variables };
  const requests = others.flatMap((script): WrittenRequest[] => {
    if (script.file === file || !sourcedBy(script.text).has(nameOf(file))) return [];
    const at = headersAt(script, others);
    if (at === undefined) return [];
    const found: WrittenRequest[] = [];
    const given: Sourced['given'] = (request, keys) => {
      const own = keys.filter(({ from }) => from.source.file === file);
      if (own.length === 0) return request;
      for (const { variable, sentAt } of own) {
        const places = variables.get(variable) ?? [];
        variables.set(variable, places);
        if (sentAt !== undefined) places.push(sentAt);
      }
      const entries = own.map((key) => headerEntry(key, nodeAt(stretch, spanOf(key)), stretch, keys.length > 1));
      const made = { ...request, requests: request.requests.map((each) => ({ ...each, headers: [...each.headers, ...entries] })) };
      found.push(made);
      return made;
    };
    read(script, { at, given });
    return found;
  });
  return { requests, variables };
}

/** The place of a word in the text of a command, not in a list of options or in what a function is called with: others may be given these, too. */
export function placeBehind(client: Text | undefined, word: Text, { source, text }: Stretch): Span | undefined {
  const [from, start, last] = [client?.at[0] ?? Number.NaN, word.at[0] ?? Number.NaN, word.at.at(-1) ?? Number.NaN];
  const isOfCommand = from < start && !/(?<!\\)\n|[;|]/.test(text.slice(from, start));
  return isOfCommand ? { file: source.file, start, end: last + 1 } : undefined;
}

const spanOf = ({ name, value }: Header): TextRange => ({ start: name.at[0] ?? 0, end: (value?.at.at(-1) ?? name.at.at(-1) ?? 0) + 1 });

function headersAt(script: Script, others: readonly Script[]): Sourced['at'] | undefined {
  const names = sourcedBy(script.text);
  if (names.size === 0) return undefined;
  const sourced = others.filter(({ file }) => file !== script.file && names.has(nameOf(file)));
  // Of two by one name, nobody knows which it is.
  const known = sourced.filter(({ file, text }) => holdsKey(text) && isAlone(file, sourced));
  const found = new Map(known.flatMap(headersIn).map((each) => [each.variable, each]));
  if (found.size === 0) return undefined;
  // By a name that nobody knows it may be any.
  const beside = [...names].some((name) => name.includes('$')) ? others : [...sourced, script];
  return (word) => {
    const [reference] = referencesIn(word);
    if (reference === undefined || reference.end - reference.start !== word.length || reference.fallback !== undefined) return undefined;
    const header = found.get(reference.name);
    return header === undefined || isSetAlone(header, beside) ? header : 'several';
  };
}

const holdsKey = (text: string): boolean => text.toLowerCase().includes(v1Auth.field);

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1);

const isAlone = (file: string, sourced: readonly Script[]): boolean =>
  sourced.filter((other) => nameOf(other.file) === nameOf(file)).length === 1;

/** What another script puts there may be another header, and so may what is there already, where anybody asks whether there is. */
function isSetAlone({ variable, from }: SourcedHeader, scripts: readonly Script[]): boolean {
  const setting = new RegExp(
    `(?<![\\w$])${variable}\\+?=|\\b(?:read|unset|printf -v)\\b.*\\b${variable}\\b|-[nzv]\\s+["']?\\$?\\{?${variable}\\b|\\$\\{${variable}:?[-=+]`,
  );
  return scripts.every(
    ({ file, text }) => !setting.test(file === from.source.file ? text.replace(new RegExp(`\\b${variable}=`), '') : text),
  );
}

/** Variables that hold the header of v1, and are set once. */
function headersIn({ file, text }: Script): SourcedHeader[] {
  const from: Stretch = { source: { file, text, position: positionsOf(text) }, start: 0, text };
  const runs = runsIn(plain(text, 0));
  const sets = runs.flatMap(({ sets: each, within }) => (within === undefined ? each : []));
  const scope = scopeOf(sets);
  return runs
    .flatMap(({ sets: each }) => each)
    .flatMap((each, _index, all) => {
      const { name: variable, value, items, isLocal, isDefault = false } = each;
      const isOnce = all.filter(({ name }) => name === variable).length === 1 && sets.includes(each);
      if (!variableName.test(variable) || items !== undefined || isLocal || isDefault || !isOnce) return [];
      const header = headerOf(value, scope, { stretch: from, by: 'assignment' });
      return header !== undefined && isKeyField(header.name.value) ? [{ ...header, from, variable }] : [];
    });
}
