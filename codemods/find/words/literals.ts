/** The literals that make a file worth parsing, all from the contract and the configured bases. */
import { inputOf } from './action-inputs.ts';
import { v1Auth } from '../../../src/contract/auth.ts';
import { type Endpoint, v1Endpoints } from '../../../src/contract/endpoints.ts';
import { type ErrorRow, errorRows } from '../../../src/contract/errors.ts';

/** Which literals a file holds. */
export interface Hits {
  /** The name of v1's key field, in any letter case. */
  readonly header: boolean;
  /** The version, and right after it the first word of a v1 route. */
  readonly route: boolean;
  /** The code of an error that only v1 gives. */
  readonly code: boolean;
  /** Those of the given needles that it holds. */
  readonly needles: readonly string[];
}

/** What is looked for in the bytes of a file, read as Latin-1: every literal is ASCII or made so. */
export interface Literals {
  /** @returns undefined where the file holds none of them */
  hitsIn(latin1: string): Hits | undefined;
  /** Whether it holds any of them. */
  holdsAny(latin1: string): boolean;
  /** Whether it holds one of the given needles. */
  holdsNeedle(latin1: string): boolean;
  /** Whether it holds part of a path (`/messages`, `v1`), which a caller elsewhere may put together. */
  holdsPart(latin1: string): boolean;
  /** Whether it names the machine itself, or a host that nobody has: what tests start servers at, and make up. */
  namesMachine(latin1: string): boolean;
}

const endpoints: readonly Endpoint[] = Object.values(v1Endpoints);
/** `['', 'v1', 'messages', …]` of each path. */
const segments = endpoints.map(({ path }) => path.split('/'));
const oneOf = (at: number): string => [...new Set(segments.map((parts) => parts[at] ?? ''))].map(escaped).join('|');
const version = oneOf(1);
const words = oneOf(2);
const rows: readonly ErrorRow[] = Object.values(errorRows);
const codes = rows.flatMap(({ code, where }) => (code === undefined || where !== 'v1' ? [] : [escaped(code)]));

// Letter by letter: an `i` flag would hold for the whole alternation, and is slower.
const header = new RegExp(v1Auth.field.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`));
// Between the two may stand what joins them in code: `/`, `\/`, `', '`, `' + '/`. Not a space alone: `v1 messages` is prose.
const route = new RegExp(`\\b(?:${version})(?:[^\\w\\s]{1,4}\\s*){1,4}(?:${words})`);
const code = new RegExp(codes.join('|'));
const any = new RegExp([header.source, route.source, code.source].join('|'));
const part = new RegExp(`\\b(?:${version})\\b|\\/(?:${words})\\b|['"\`](?:${words})['"\`/]`);
/** Names of hosts that nobody has, or a network of its own at most: what tests make up. */
export const madeUpHost = String.raw`(?:[\w.-]*\b(?:test|invalid|local|example|example\.(?:com|net|org))|[\w-]+)(?::\d+)?`;
const addressOfNobody = new RegExp(String.raw`^https?://(?:127(?:\.\d+){3}|\[::1\]|${madeUpHost})(?::[^/]*)?(?:/|$)`);
/** Whether an address leads to what a test starts or makes up. */
export const isMadeUpAddress = (address: string): boolean => addressOfNobody.test(address);
const machine = new RegExp(String.raw`\blocalhost\b|\b127(?:\.\d+){3}\b|\b0\.0\.0\.0\b|\[::1?\]|https?:\/\/${madeUpHost}(?=['"\`/])`);

/**
 * Puts the literals together.
 * @param needles hosts of configured bases and names of environment variables; hosts match in any letter case
 */
export function literalsOf(needles: readonly string[]): Literals {
  const named = needles
    .filter((needle) => needle !== '')
    .map((needle) => ({ needle, pattern: new RegExp([inPattern(escaped(asLatin1(needle))), ...asInput(needle)].join('|'), 'i') }));
  const holdsNeedle = (latin1: string): boolean => named.some(({ pattern }) => pattern.test(latin1));
  return {
    hitsIn(latin1) {
      const found = named.filter(({ pattern }) => pattern.test(latin1)).map(({ needle }) => needle);
      if (found.length === 0 && !any.test(latin1)) return undefined;
      return { header: header.test(latin1), route: route.test(latin1), code: code.test(latin1), needles: found };
    },
    holdsAny: (latin1) => any.test(latin1) || holdsNeedle(latin1),
    holdsNeedle,
    holdsPart: (latin1) => part.test(latin1),
    namesMachine: (latin1) => machine.test(latin1),
  };
}

/** As it may stand in a pattern, too: `/^https:\/\/api\.example\.com\//`. */
const inPattern = (host: string): string => host.replaceAll(String.raw`\.`, String.raw`\\{0,2}\.`);

/** How a program names an input that it is given by a variable: `getInput('api-url')`. */
const asInput = (variable: string): string[] => {
  const input = inputOf(variable);
  return input === undefined ? [] : [`['"\`]${escaped(asLatin1(input)).replaceAll('_', '[_ ]')}['"\`]`];
};

/** The UTF-8 bytes of a text, as the characters they are in Latin-1. */
export const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** Text as a part of a regular expression. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, (special) => `\\${special}`);
}
