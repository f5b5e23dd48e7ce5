/** Rules by what they say: each question would go through all of them, of which few say anything of it. */
import { memo, memoOf } from '../../once.ts';
import type { ClientRule } from './client-rule.ts';

const named = memoOf((rules: readonly ClientRule[]) => new Map(rules.map((rule) => [rule.name, rule])));
const having = memoOf((rules: readonly ClientRule[]) =>
  memo((field: keyof ClientRule) => rules.filter((rule) => rule[field] !== undefined)),
);

/** The rule of a library by its name. */
export const ruleNamed = (rules: readonly ClientRule[], name: string | undefined): ClientRule | undefined =>
  name === undefined ? undefined : named(rules).get(name);

/** Those that say something of a matter, in their order. */
export const rulesWith = (rules: readonly ClientRule[], field: keyof ClientRule): readonly ClientRule[] => having(rules)(field);
