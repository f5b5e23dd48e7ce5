/** The plans that api.md §8 names, from the smallest to the largest. */
export const plans = ['Free', 'Starter', 'Growth', 'Pro', 'Agency', 'Enterprise'] as const;
export type Plan = (typeof plans)[number];
