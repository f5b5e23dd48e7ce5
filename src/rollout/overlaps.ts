/** What is odd about an order of rules: rules that no call can reach, and pairs of which only the order decides. */
import type { Match, Rule } from './rules.ts';

export interface Overlap {
  readonly kind: 'unreachable' | 'partial';
  /** The rule that comes first. */
  readonly first: Rule;
  readonly second: Rule;
}

const lists = ['workspace', 'keys', 'client', 'endpoint', 'methods'] as const satisfies readonly (keyof Match)[];

/** Pairs that are looked at, at most: a tenth of a second, in which a proxy that has read its rules again answers nobody. */
const mostPairs = 200_000;

/**
 * Finds rules that are never reached, since an earlier one takes all their calls, and pairs that share calls although neither is the narrower:
 * the usual order, the narrower one first, is not worth a word. Of very many rules that are about no workspace, the first are looked at.
 * @param most pairs to find at most: who has ten thousand rules needs to hear of the first few
 */
export function overlapsOf(rules: readonly Rule[], most = 20): readonly Overlap[] {
  const found: Overlap[] = [];
  const earlier = earlierRules();
  let pairs = 0;
  for (const second of rules) {
    const candidates = earlier.of(second);
    earlier.add(second);
    pairs += candidates.length;
    if (pairs > mostPairs) return found;
    for (const first of candidates) {
      const covers = contains(first.match, second.match);
      const isPartial = !covers && first.stage !== second.stage && !contains(second.match, first.match) && meet(first.match, second.match);
      const isUnreachable = covers && first.until === undefined;
      if (isUnreachable) found.push({ kind: 'unreachable', first, second });
      else if (isPartial) found.push({ kind: 'partial', first, second });
      if (found.length >= most) return found;
      if (isUnreachable) break;
    }
  }
  return found;
}

/** The rules that came before, by the workspaces that they are about: most of ten thousand are about one, and share calls with few. */
function earlierRules() {
  const all: Rule[] = [];
  const general: Placed[] = [];
  const special = new Map<string, Placed[]>();
  return {
    add(rule: Rule): void {
      const placed = { rule, at: all.push(rule) };
      if (rule.match.workspace === undefined) general.push(placed);
      for (const name of rule.match.workspace ?? []) {
        const known = special.get(name);
        if (known === undefined) special.set(name, [placed]);
        else known.push(placed);
      }
    },
    /** Those that can share calls with a rule, in their order. */
    of({ match: { workspace } }: Rule): readonly Rule[] {
      if (workspace === undefined) return all.slice();
      const own = new Set(workspace.flatMap((name) => special.get(name) ?? []));
      return [...own, ...general].toSorted((a, b) => a.at - b.at).map(({ rule }) => rule);
    },
  };
}

interface Placed {
  readonly rule: Rule;
  readonly at: number;
}

/** Whether every call of `inner` is one of `outer`. Prefixes of keys hold longer ones. */
function contains(outer: Match, inner: Match): boolean {
  if (outer.unknown === true && inner.unknown !== true) return false;
  if ((outer.percent ?? 1) < 1 && (outer.percent ?? 1) < (inner.percent ?? 2)) return false;
  return lists.every((name) => {
    const [wide, narrow] = [outer[name], inner[name]];
    if (wide === undefined) return true;
    return narrow !== undefined && narrow.every((value) => wide.some((other) => includes(name, other, value)));
  });
}

/** Whether what one name means holds what another means: a prefix longer ones, and a product its versions. */
function includes(name: (typeof lists)[number], wide: string, narrow: string): boolean {
  if (name === 'keys') return narrow.startsWith(wide);
  return narrow === wide || (name === 'client' && narrow.startsWith(`${wide}/`));
}

/** Whether a call can be of both. */
function meet(one: Match, other: Match): boolean {
  if ((one.unknown === true && other.workspace !== undefined) || (other.unknown === true && one.workspace !== undefined)) return false;
  if (one.percent === 0 || other.percent === 0) return false;
  return lists.every((name) => {
    const [left, right] = [one[name], other[name]];
    if (left === undefined || right === undefined) return true;
    return left.some((a) => right.some((b) => includes(name, a, b) || includes(name, b, a)));
  });
}
