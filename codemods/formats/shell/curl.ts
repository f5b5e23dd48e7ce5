/** What curl, wget and HTTPie are told to request, read from their words. */
import { type Text, slice } from '../text.ts';
import type { Header } from '../written.ts';

export interface Asked {
  readonly client: string;
  readonly urls: readonly Text[];
  readonly method: string | undefined;
  readonly headers: readonly Header[];
  readonly credentials: boolean;
  /** The words that were understood: URLs and headers. */
  readonly used: readonly Text[];
}

/** Gives a header's name and value, with variables put in as far as it takes to see the name. */
export type ReadHeader = (word: Text) => Header | undefined;

interface Option {
  readonly name: string;
  readonly value: Text | undefined;
}

interface Syntax {
  /** Short options that take a value. */
  readonly short: string;
  /** Long options that take a value: others are flags. */
  readonly long: RegExp;
}

const curl: Syntax = {
  short: 'HXdurAbcoFTxKmweECDPQtUyYz',
  long: /^(?:header|request|url|data(?:-\w+)?|json|form(?:-string)?|user|oauth2-bearer|output|user-agent|cookie(?:-jar)?|referer|proxy(?:-\w+)?|config|upload-file|max-time|connect-timeout|connect-to|resolve|retry(?:-\w+)?|write-out|cert|key|cacert|capath|interface|dump-header|range|limit-rate|aws-sigv4|url-query|variable|output-dir|trace(?:-ascii)?|stderr|ciphers|pass|noproxy)$/,
};
const wget: Syntax = {
  short: 'OoPUTtwQaieDAR',
  long: /^(?:header|method|post-data|post-file|body-data|body-file|user|password|http-user|http-password|output-document|output-file|directory-prefix|user-agent|timeout|tries|referer|ca-certificate|wait|waitretry)$/,
};
const httpie: Syntax = {
  short: 'aoAspv',
  long: /^(?:auth|auth-type|output|session|style|print|timeout|proxy|verify|cert|cert-key|raw|pretty)$/,
};

/** Words as options and the rest, by the conventions of getopt. */
function parse(words: readonly Text[], { short, long }: Syntax): { options: Option[]; rest: Text[] } {
  const options: Option[] = [];
  const rest: Text[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === undefined) break;
    const { value } = word;
    const [, name, hasValue] = /^--([\w-]+)(=?)/.exec(value) ?? [];
    if (name !== undefined) {
      if (hasValue === '=') options.push({ name, value: slice(word, name.length + 3) });
      else options.push({ name, value: long.test(name) ? words[++i] : undefined });
    } else if (/^-[^-]/.test(value)) {
      const at = Array.from(value).findIndex((char, k) => k > 0 && short.includes(char));
      for (const flag of value.slice(1, at === -1 ? undefined : at)) options.push({ name: flag, value: undefined });
      if (at !== -1) options.push({ name: value.charAt(at), value: at + 1 < value.length ? slice(word, at + 1) : words[++i] });
    } else rest.push(word);
  }
  return { options, rest };
}

const valuesOf = (options: readonly Option[], ...names: readonly string[]): Text[] =>
  options.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : []));
const has = (options: readonly Option[], names: RegExp): boolean => options.some(({ name }) => names.test(name));
/** A method that a variable gives is not known. */
const methodOf = (word: Text): string | undefined => (/^[A-Za-z]+$/.test(word.value) ? word.value : undefined);

function askedByCurl(words: readonly Text[], readHeader: ReadHeader): Asked {
  const { options, rest } = parse(words, curl);
  const given = valuesOf(options, 'X', 'request').at(-1);
  const sends = has(options, /^(?:d|data(?:-\w+)?|json|F|form(?:-string)?)$/) && !has(options, /^(?:G|get)$/);
  const usual = has(options, /^(?:I|head)$/) ? 'HEAD' : has(options, /^(?:T|upload-file)$/) ? 'PUT' : sends ? 'POST' : 'GET';
  return asked({
    client: 'curl',
    urls: [...valuesOf(options, 'url'), ...rest],
    method: given === undefined ? usual : methodOf(given),
    headerWords: valuesOf(options, 'H', 'header'),
    credentials: has(options, /^(?:u|user|oauth2-bearer|aws-sigv4)$/),
    readHeader,
  });
}

function askedByWget(words: readonly Text[], readHeader: ReadHeader): Asked {
  const { options, rest } = parse(words, wget);
  const given = valuesOf(options, 'method').at(-1);
  return asked({
    client: 'wget',
    urls: rest,
    method: given === undefined ? (has(options, /^post-(?:data|file)$/) ? 'POST' : 'GET') : methodOf(given),
    headerWords: valuesOf(options, 'header'),
    credentials: has(options, /^(?:http-)?user$/),
    readHeader,
  });
}

function askedByHttpie(words: readonly Text[], readHeader: ReadHeader): Asked {
  const { options, rest } = parse(words, httpie);
  const [first] = rest;
  const hasMethod = first !== undefined && /^[A-Z]+$/.test(first.value);
  const [url, ...items] = hasMethod ? rest.slice(1) : rest;
  const headerWords = items.filter(({ value }) => /^[\w-]+:(?!=)/.test(value));
  const sends = items.some(({ value }) => /^[^:=]+(?::?=)(?!=)|^[^:=]+@/.test(value));
  return asked({
    client: 'httpie',
    urls: url === undefined ? [] : [url],
    method: hasMethod ? first.value : sends ? 'POST' : 'GET',
    headerWords,
    credentials: has(options, /^(?:a|auth)$/),
    readHeader,
  });
}

function asked(given: Omit<Asked, 'headers' | 'used'> & { headerWords: readonly Text[]; readHeader: ReadHeader }): Asked {
  const { headerWords, readHeader, ...rest } = given;
  const read = headerWords.flatMap((word) => {
    const header = readHeader(word);
    return header === undefined ? [] : [{ word, header }];
  });
  return { ...rest, headers: read.map(({ header }) => header), used: [...rest.urls, ...read.map(({ word }) => word)] };
}

const readers: Readonly<Record<string, typeof askedByCurl>> = {
  curl: askedByCurl,
  wget: askedByWget,
  http: askedByHttpie,
  https: askedByHttpie,
  xh: askedByHttpie,
};

/** The program of that name, if it is one that makes requests. */
export function clientOf(word: string): typeof askedByCurl | undefined {
  const name = word
    .replace(/^[@-]+/, '')
    .replace(/^.*\//, '')
    .replace(/\.exe$/, '');
  return Object.hasOwn(readers, name) ? readers[name] : undefined;
}
