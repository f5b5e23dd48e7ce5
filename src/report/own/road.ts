/** The road from v1 to v2 as a customer may see it: names of rules, brownouts and proxies are ours, and may name others. They become numbers. */
import type { Brownout, Match, Rollout, Rule } from '../../rollout/rules.ts';
import type { Step } from '../../usage/model.ts';
import { hashMark } from '../../usage/workspaces.ts';
import type { Client, Group } from '../clients.ts';

/** Gives each name a number; the empty one is of nobody, and stays. */
export function numbered(what: string): (name: string) => string {
  const numbers = new Map<string, number>();
  return (name) => {
    if (name === '') return name;
    const number = numbers.get(name) ?? numbers.size + 1;
    numbers.set(name, number);
    return `${what} ${number}`;
  };
}

export interface OwnNames {
  readonly rule: (name: string) => string;
  readonly replica: (name: string) => string;
  readonly log: (name: string) => string;
}

const instants = /\d{4}-\d\d-\d\dT[\d:.]+Z/;

/**
 * Steps with numbers in place of names; of what is said of them, the instant at which a brownout was to end.
 * @param rollout theirs, see `ownRollout`: without it, nobody knows whom a rule is about, and all of them are there
 */
export function ownSteps(steps: readonly Step[], names: OwnNames, rollout: Rollout | undefined): readonly Step[] {
  const known = rollout && new Set([...rollout.rules, ...rollout.brownouts].map(({ name }) => name));
  const numberedSteps = steps.map((step) => ({
    ...step,
    // The id of a brownout ends with its beginning.
    id: / (\d+)$/.exec(step.id)?.[0] ?? '',
    replica: names.replica(step.replica),
    rule: names.rule(step.rule),
    detail: instants.exec(step.detail)?.[0] ?? '',
  }));
  return numberedSteps.filter(({ rule }) => rule === '' || known === undefined || known.has(rule));
}

/** The rules and brownouts that can be about some workspaces, and no names but theirs. */
export function ownRollout(rollout: Rollout, groups: ReadonlySet<Group>, names: OwnNames): Rollout {
  const own = new Set([...groups].map(({ name }) => name));
  const isOwn = (name: string): boolean => own.has(name);
  const ownMatch = ({ workspace, endpoint, methods, percent }: Match): Match => ({
    endpoint,
    methods,
    percent,
    ...(workspace !== undefined && { workspace: workspace.filter(isOwn) }),
  });
  return {
    ...rollout,
    rules: rollout.rules
      .filter(({ match }) => concerns(match, groups))
      .map((rule): Rule => ({ ...rule, name: names.rule(rule.name), match: ownMatch(rule.match) })),
    brownouts: rollout.brownouts
      .filter(({ match, exempt }) => concerns(match, new Set([...groups].filter(({ name }) => !exempt.includes(name)))))
      .map((brownout): Brownout => ({
        ...brownout,
        name: names.rule(brownout.name),
        match: ownMatch(brownout.match),
        exempt: brownout.exempt.filter(isOwn),
      })),
  };
}

/** Whether a call of theirs can be one that is meant. */
const concerns = ({ workspace, unknown, keys, client }: Match, groups: ReadonlySet<Group>): boolean =>
  [...groups].some(
    (group) =>
      (workspace === undefined || workspace.includes(group.name)) &&
      (unknown === undefined || group.origin === 'unknown') &&
      (keys === undefined || keys.some((key) => group.clients.some((client) => mayMean(key, client)))) &&
      (client === undefined || client.some((product) => group.clients.some(({ caller }) => isProduct(product, caller.client)))),
  );

/** Of a key, the record has the beginning alone. */
function mayMean(given: string, { caller: { keyHash, keyPrefix } }: Client): boolean {
  if (keyHash === null || keyPrefix === null) return false;
  return given.startsWith(hashMark) ? given === hashMark + keyHash : keyPrefix.startsWith(given) || given.startsWith(keyPrefix);
}

const isProduct = (meant: string, product: string): boolean => product === meant || product.split('/', 1)[0] === meant;
