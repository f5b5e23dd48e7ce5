import { BlockList, isIP } from 'node:net';
import { nameOfProduct, unnamed } from './client-product.ts';
import type { Caller } from './model.ts';
import { meansKey } from './workspaces.ts';

/** Calls that count as nobody's: all that is given has to match. */
export interface IgnoreRule {
  readonly reason: string;
  /** Product of the User-Agent; without a version, every version. */
  readonly client?: string | undefined;
  /** Value of the header that tells clients apart. */
  readonly name?: string | undefined;
  /** Prefix of a key, or `hash:` and its hash. */
  readonly key?: string | undefined;
  /** A network in CIDR notation: every network that the caller was seen from lies in it. */
  readonly network?: string | undefined;
  /** Method and path template on v1, or `unlisted`. */
  readonly endpoint?: string | undefined;
  /** Every call of the caller was answered with this status. */
  readonly status?: number | undefined;
  /** v2 never accepted a call of it: every one was refused for its key, or before v2 was asked. */
  readonly neverAccepted?: boolean | undefined;
}

/** How the calls of a caller have ended since the record began. */
export interface Answered {
  readonly statuses: ReadonlySet<number>;
  readonly accepted: boolean;
}

/** Which calls of one caller are ignored. */
export interface Ignored {
  /** All of them, by this rule. */
  readonly all: IgnoreRule | undefined;
  /** Those of some endpoints. */
  readonly endpoints: ReadonlyMap<string, IgnoreRule>;
}

const nothing: Ignored = { all: undefined, endpoints: new Map() };

/**
 * Makes the function that says which calls of a caller are ignored; the first rule that matches counts.
 * @param hashOf under which older records have the clients that rules name
 * @returns takes the networks that the caller was seen from, undefined where there may be more than are known, and how its calls ended
 */
export function ignoredCalls(
  rules: readonly IgnoreRule[],
  hashOf?: (product: string) => string,
): (caller: Caller, networks: readonly string[] | undefined, answered: Answered) => Ignored {
  const prepared = rules.map((rule) => ({ rule, network: rule.network === undefined ? undefined : networkTest(rule.network) }));
  const isMeant = (rule: IgnoreRule, caller: Caller): boolean =>
    meansCaller(rule, caller) && (rule.client === undefined || meansClient(rule.client, caller.client, hashOf));
  return (caller, networks, answered) => {
    const matching = prepared.filter(
      ({ rule, network }) => isMeant(rule, caller) && meansAnswers(rule, answered) && (network === undefined || liesIn(networks, network)),
    );
    if (matching.length === 0) return nothing;
    const all = matching.find(({ rule }) => rule.endpoint === undefined)?.rule;
    const endpoints = new Map<string, IgnoreRule>();
    for (const { rule } of matching) if (rule.endpoint !== undefined && !endpoints.has(rule.endpoint)) endpoints.set(rule.endpoint, rule);
    return { all, endpoints };
  };
}

/** The products that the rules name. The record has to show them: of their hashes no rule knows. */
export const ignoredProducts = (rules: readonly IgnoreRule[]): readonly string[] =>
  productNames(rules.flatMap(({ client }) => client ?? []));

/** The names of products without their versions; what the record calls clients without a name is none. */
export const productNames = (products: readonly string[]): string[] =>
  products.filter((product) => !unnamed.test(product)).map(nameOfProduct);

const meansCaller = (rule: IgnoreRule, caller: Caller): boolean =>
  (rule.name === undefined || rule.name === caller.name) && (rule.key === undefined || meansKey(rule.key, caller));

/**
 * Whether a rule names a client: its product, with a version or every one of it, whatever library it calls with. The name of a library means
 * clients that tell no name of their own: whom a rule did not mean before it must not ignore now.
 */
function meansClient(named: string, client: string, hashOf?: (product: string) => string): boolean {
  if (named === client || client.startsWith(`${named}/`) || client.startsWith(`${named} via `)) return true;
  return hashOf !== undefined && unnamed.test(client) && !named.includes('/') && hashOf(named) === client;
}

const meansAnswers = ({ status, neverAccepted }: IgnoreRule, { statuses, accepted }: Answered): boolean =>
  (status === undefined || (statuses.size === 1 && statuses.has(status))) && (neverAccepted === undefined || neverAccepted === !accepted);

const liesIn = (networks: readonly string[] | undefined, test: (network: string) => boolean): boolean =>
  networks !== undefined && networks.length > 0 && networks.every(test);

/** Whether a recorded network lies in a given one: its first address does, and it is no larger. */
function networkTest(given: string): (network: string) => boolean {
  const { address, length, family } = partsOf(given);
  const list = new BlockList();
  list.addSubnet(address, length, family);
  return (network) => {
    const recorded = partsOf(network);
    return recorded.family === family && recorded.length >= length && list.check(recorded.address, family);
  };
}

function partsOf(network: string): { readonly address: string; readonly length: number; readonly family: 'ipv4' | 'ipv6' } {
  const [address = '', length] = network.split('/');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return { address, length: length === undefined ? (family === 'ipv6' ? 128 : 32) : Number(length), family };
}
