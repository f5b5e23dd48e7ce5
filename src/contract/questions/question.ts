/** What an open question is, and short ways to write several. */
import { type Domain, whole } from '../domains.ts';
import { type Plan, plans } from '../plans.ts';

export interface OpenQuestion<Value> {
  /** What nobody outside the service knows. */
  readonly question: string;
  readonly value: Value;
  /** Why this value is assumed. */
  readonly reason: string;
  /** What else it could be. */
  readonly domain: Domain;
}

/** Questions by their names, each of which is a setting. */
export type Questions = Readonly<Record<string, OpenQuestion<string | number | boolean | readonly string[]>>>;

export const text = (
  question: string,
  value: string,
  reason = 'Only the three 401 texts are shown; clients should not depend on the others',
  domain: Domain = 'text',
): OpenQuestion<string> => ({ question, value, reason, domain });

/** One question for each of these plans: `name` and the plan are its name. */
export function perPlan<Name extends string, Of extends Plan>(
  name: Name,
  values: Readonly<Record<Of, number>>,
  question: (plan: string) => string,
  reason: string,
): { readonly [Row in `${Name}${Of}`]: OpenQuestion<number> } {
  const rows = plans
    .filter((plan): plan is Of => plan in values)
    .map((plan) => [`${name}${plan}`, { question: question(plan), value: values[plan], reason, domain: whole(1) }]);
  // Object.fromEntries forgets the names; they are exactly those of the type.
  return Object.fromEntries(rows) as { readonly [Row in `${Name}${Of}`]: OpenQuestion<number> };
}
