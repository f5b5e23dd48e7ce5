/**
 * Which rule holds for a call. A call is looked at only as far as the rules tell calls apart: whatever clients send, there are no more kinds of
 * calls than the rules have names, so that the answer for each kind is remembered and costs the same for one rule and for ten thousand.
 */
import { nameOfProduct } from '../usage/client-product.ts';
import { hashMark } from '../usage/workspaces.ts';
import type { Match } from './rules.ts';

/** What rules may ask of a call. */
export interface CallFacts {
  /** As much of the key as is at hand: the whole of it in the proxy, what the record has of it elsewhere. Undefined without exactly one key. */
  readonly key: string | undefined;
  /** The keyed hash of the key, as the record has it. */
  readonly keyHash: string | undefined;
  readonly workspace: string | null;
  /** Product of the User-Agent. */
  readonly client: string;
  readonly endpoint: string;
  readonly method: string;
}

/**
 * The place of a key between 0 and 1, the same in every rule and on every replica: a rule for 10 % has those below 0.1. Who is in is in for every
 * larger share as well, so that raising it moves nobody back; and a rule for 20 % behind one for 10 % has those between.
 */
export const placeOf = (keyHash: string): number => Number.parseInt(keyHash.slice(0, 8), 16) / 2 ** 32;

/** Whether rules are about this call, without a memory: for one call, or few rules. */
export function matches(match: Match, { key, keyHash, workspace, client, endpoint, method }: CallFacts): boolean {
  return (
    fits(match.workspace, workspace) &&
    (match.unknown === undefined || workspace === null) &&
    (match.client === undefined || match.client.some((name) => isProduct(name, client))) &&
    fits(match.endpoint, endpoint) &&
    fits(match.methods, method) &&
    (match.keys === undefined || match.keys.some((given) => meansKey(given, key, keyHash))) &&
    (match.percent === undefined || (keyHash !== undefined && placeOf(keyHash) < match.percent))
  );
}

/** A product without a version means every version of it, and each means whatever library it calls with. */
const isProduct = (name: string, client: string): boolean =>
  name === client || client.startsWith(`${name}/`) || client.startsWith(`${name} via `);

const fits = (names: readonly string[] | undefined, value: string | null): boolean =>
  names === undefined || (value !== null && names.includes(value));

const meansKey = (given: string, key: string | undefined, keyHash: string | undefined): boolean =>
  given.startsWith(hashMark) ? given.slice(hashMark.length) === keyHash : key !== undefined && key.startsWith(given);

/** More kinds of calls than this are not remembered at once. */
const remembered = 100_000;

/**
 * Makes the function that finds the first rule for a call; undefined where none matches.
 * @param rules in their order
 */
export function selector<R extends { readonly match: Match }>(rules: readonly R[]): (facts: CallFacts) => R | undefined {
  const matched = rules.map(({ match }) => match);
  const named = (names: (match: Match) => readonly string[] | undefined): ReadonlySet<string> =>
    new Set(matched.flatMap((match) => names(match) ?? []));
  const workspaces = named(({ workspace }) => workspace);
  const clients = named(({ client }) => client);
  const endpoints = named(({ endpoint }) => endpoint);
  const methods = named(({ methods }) => methods);
  const keys = named(({ keys }) => keys);
  const hashes = new Set([...keys].filter((key) => key.startsWith(hashMark)).map((key) => key.slice(hashMark.length)));
  const prefixes = [...keys].filter((key) => !key.startsWith(hashMark));
  const lengths = [...new Set(prefixes.map((prefix) => prefix.length))];
  const shares = [...new Set(matched.flatMap(({ percent }) => percent ?? []))].toSorted((a, b) => a - b);
  const byWorkspace = indexed(rules);
  const known = new Map<string, R | null>();

  /** The prefixes that a key has, of those that rules name. */
  const prefixesOf = (key: string): string => {
    let found = '';
    for (const length of lengths) {
      const prefix = key.slice(0, length);
      if (prefix.length === length && keys.has(prefix)) found += `${prefix}\n`;
    }
    return found;
  };
  /** The product of a client and its version, as far as rules name them. */
  const productsOf = (client: string): string => {
    const [own = ''] = client.split(' via ', 1);
    return [nameOfProduct(client), own, client].map((product) => (clients.has(product) ? product : '')).join();
  };
  const stepOf = (keyHash: string): number => {
    const place = placeOf(keyHash);
    const step = shares.findIndex((share) => place < share);
    return step === -1 ? shares.length : step;
  };
  const kindOf = ({ key, keyHash, workspace, client, endpoint, method }: CallFacts): string => {
    let kind = workspace === null ? '' : workspaces.has(workspace) ? `w${workspace}` : 'o';
    if (clients.size > 0) kind += `\0${productsOf(client)}`;
    if (endpoints.size > 0) kind += endpoints.has(endpoint) ? `\0${endpoint}` : '\0';
    if (methods.size > 0) kind += methods.has(method) ? `\0${method}` : '\0';
    if (keyHash === undefined) return `${kind}\0-`;
    if (shares.length > 0) kind += `\0${stepOf(keyHash)}`;
    if (hashes.size > 0 && hashes.has(keyHash)) kind += `\0${keyHash}`;
    return lengths.length > 0 && key !== undefined ? `${kind}\0${prefixesOf(key)}` : kind;
  };
  return (facts) => {
    const kind = kindOf(facts);
    const before = known.get(kind);
    if (before !== undefined) return before ?? undefined;
    const found = byWorkspace(facts.workspace).find(({ match }) => matches(match, facts));
    if (known.size >= remembered) known.clear();
    known.set(kind, found ?? null);
    return found;
  };
}

/** The rules that can be about a workspace, in their order: those that name it, and those that name none. */
function indexed<R extends { readonly match: Match }>(rules: readonly R[]): (workspace: string | null) => readonly R[] {
  const general: number[] = [];
  const special = new Map<string, number[]>();
  for (const [index, { match }] of rules.entries()) {
    if (match.workspace === undefined) general.push(index);
    for (const name of match.workspace ?? []) special.set(name, [...(special.get(name) ?? []), index]);
  }
  const at = (indexes: readonly number[]): R[] => indexes.flatMap((index) => rules[index] ?? []);
  const generalRules = at(general);
  return (workspace) => {
    const own = workspace === null ? undefined : special.get(workspace);
    return own === undefined ? generalRules : at([...own, ...general].toSorted((a, b) => a - b));
  };
}
