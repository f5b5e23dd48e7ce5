/** A whole number as people read it: `17,670`. By hand: the first number that `Intl` writes takes it some ten milliseconds, a tenth of a short run. */
export const withCommas = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
