/** What curl, wget and HTTPie are told to request, read from their words. */
import {
  credentialsOfCurl,
  curlSyntax,
  hasOption,
  optionsIn,
  type Syntax,
  usualMethod,
  valuesOf,
  wgetSyntax,
} from '../../clients/values/command-options.ts';
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

const httpie: Syntax = {
  short: 'aoAspv',
  long: /^(?:auth|auth-type|output|session|style|print|timeout|proxy|verify|cert|cert-key|raw|pretty)$/,
};

const parse = (words: readonly Text[], syntax: Syntax): ReturnType<typeof optionsIn<Text>> => optionsIn(words, syntax, slice);

/** A method that a variable gives is not known. */
const methodOf = (word: Text): string | undefined => (/^[A-Za-z]+$/.test(word.value) ? word.value : undefined);

function askedByCurl(words: readonly Text[], readHeader: ReadHeader): Asked {
  const { options, rest } = parse(words, curlSyntax);
  const given = valuesOf(options, 'X', 'request').at(-1);
  return asked({
    client: 'curl',
    urls: [...valuesOf(options, 'url'), ...rest],
    method: given === undefined ? usualMethod(options) : methodOf(given),
    headerWords: valuesOf(options, 'H', 'header'),
    credentials: hasOption(options, credentialsOfCurl),
    readHeader,
  });
}

function askedByWget(words: readonly Text[], readHeader: ReadHeader): Asked {
  const { options, rest } = parse(words, wgetSyntax);
  const given = valuesOf(options, 'method').at(-1);
  return asked({
    client: 'wget',
    urls: rest,
    method: given === undefined ? (hasOption(options, /^post-(?:data|file)$/) ? 'POST' : 'GET') : methodOf(given),
    headerWords: valuesOf(options, 'header'),
    credentials: hasOption(options, /^(?:http-)?user$/),
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
    credentials: hasOption(options, /^(?:a|auth)$/),
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
