/** What rows, items and sentences are about: variables, options, functions and files, by the form in which a document names them. */
import type { TextRange } from '../../formats/text.ts';

export interface Mentioned extends TextRange {
  readonly kind: 'address' | 'route' | 'header';
}

/** What ties a row to code of its package. */
export interface Subject {
  readonly kind: 'variable' | 'option' | 'function' | 'file';
  readonly name: string;
}

export interface Row extends TextRange {
  readonly subjects: readonly Subject[];
  /** Of one that moves without its subjects, too, where nothing at all is left on v1: the table that it does so with. */
  readonly table?: number;
  /** Whether its head says that what stands there is the service's. */
  readonly isOfService?: boolean;
  /** Whether its head does not say whose that is: only what stands in front of the own routes tells it apart. */
  readonly isUpstream?: boolean;
  /** Whether its header is that of its address. */
  readonly hasOwnHeader?: boolean;
  /** Whether it moves only where nothing at all is left on v1. */
  readonly isAlone?: boolean;
  /** Whether its routes have the service's name in front. */
  readonly isNamed?: boolean;
  /** Whether it begins with a route, which it may say of what answers that. */
  readonly isUntied?: boolean;
  /** Whether it is of variables that are called as the service is: `PARLO_TOKEN`. */
  readonly isOfItsName?: boolean;
  /** Whether it says of these that they are sent. */
  readonly isSentOut?: boolean;
}

const beginning = String.raw`(?:\||^\s*(?:[-*+]|\d+[.)])\s)\s*(?:\*\*)?`;
const nameOfVariable = String.raw`[A-Z][A-Z\d]*(?:_[A-Z\d]+)+`;
/** A cell, or the beginning of an item, that names a variable, or several: `TEXTS_HOST`, `TEXTS_VERSION`. */
export const variable = new RegExp(
  `${beginning}\\x60?(${nameOfVariable}(?:\\x60?\\s*(?:,|/|&|and|or)\\s*\\x60?${nameOfVariable})*)\\x60?(?:\\*\\*)?\\s*(?=[|:(–—=-])`,
);
/** The same of an option of a command: `-u, --url <url>`. */
export const flag = new RegExp(
  `${beginning}\\x60(?:-\\w,\\s)?--([a-z][a-z\\d]*(?:-[a-z\\d]+)*)(?:[ =](?:<[^<>\\x60]*>|[A-Z]+))?\\x60(?:\\*\\*)?\\s*(?=[|:(–—-])`,
);
/** The same of an option of a client, as code, or of one in a file of settings: `profiles.NAME.url`. */
export const option = new RegExp(`${beginning}\\x60(?:[A-Za-z<{*][\\w<>{}*-]*\\.)*([a-z]\\w*)\\x60(?:\\*\\*)?\\s*(?=[|:(–—-])`);
/** What a piece of code may name: a function, with the object that has it, or a file. */
const called = /^(?:[\w$]+\.)*(?=[\w$]*[a-z])([A-Za-z_$][\w$]*)(?:\([^()]*\))?$/;
const script = /^[\w.@/[\]-]+\.(?:[cm]?[jt]sx?|vue|svelte)$/;

export const code = /`([^`\n]+)`/g;

export function settingsOf(line: string): Subject[] {
  const [, variables = ''] = variable.exec(line) ?? [];
  const [, words = ''] = flag.exec(line) ?? [];
  const [, name = inCamelCase(words)] = option.exec(line) ?? [];
  const names = variables.match(new RegExp(nameOfVariable, 'g')) ?? [];
  return [...names.map((each): Subject => ({ kind: 'variable', name: each })), ...(name === '' ? [] : [{ kind: 'option', name } as const])];
}

export const inCamelCase = (words: string): string => words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** @returns the functions and files that a row names; none where it has code of another kind, which may be what is asked with, or answered */
export function askingIn(rest: string): Subject[] {
  const found = Array.from(rest.matchAll(code), ([, said = '']): Subject | undefined => {
    if (script.test(said)) return { kind: 'file', name: said };
    const [, name] = called.exec(said) ?? [];
    return name === undefined ? undefined : { kind: 'function', name };
  });
  const known = found.filter((each) => each !== undefined);
  return known.length === found.length ? known : [];
}

export function restOf(said: string, mentions: readonly Mentioned[]): string {
  const ends = [0, ...mentions.map((each) => each.end)];
  return ends.map((from, i) => said.slice(from, mentions[i]?.start)).join(' ');
}
