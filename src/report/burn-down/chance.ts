/** What statistics there is to the outlook: approximations that are good to a hundredth, which is better than what is known. */

/** The normal distribution, by Zelen and Severo's formula (Abramowitz and Stegun 26.2.17). */
export function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    0.3989422804 *
    Math.exp((-x * x) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x > 0 ? 1 - tail : tail;
}

/** Where a growing function reaches a value, between two bounds. */
export function solve(of: (x: number) => number, value: number, low: number, high: number, steps = 40): number {
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2;
    if (of(middle) < value) low = middle;
    else high = middle;
  }
  return high;
}

/** So many values that are as probable as each other, of the standard normal distribution. */
export const normals = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => solve(normal, (index + 0.5) / count, -8, 8));

/** The same of a gamma distribution, by Wilson and Hilferty's formula. */
export const gammas = (shape: number, count: number): readonly number[] =>
  normals(count).map((z) => shape * Math.max(0.001, 1 - 1 / (9 * shape) + z / (3 * Math.sqrt(shape))) ** 3);

/** Beyond so many, the normal distribution does. */
const mostExact = 60;

/** How probable each number is, from none to all, of independent events with these probabilities. */
export function numberOf(probabilities: readonly number[]): Float64Array {
  const size = probabilities.length;
  const distribution = new Float64Array(size + 1);
  if (size <= mostExact) {
    distribution[0] = 1;
    for (const [index, probability] of probabilities.entries()) {
      for (let number = index + 1; number >= 0; number--)
        distribution[number] = (distribution[number] ?? 0) * (1 - probability) + (distribution[number - 1] ?? 0) * probability;
    }
    return distribution;
  }
  const mean = probabilities.reduce((sum, probability) => sum + probability, 0);
  const deviation = Math.sqrt(probabilities.reduce((sum, probability) => sum + probability * (1 - probability), 1e-9));
  let before = 0;
  for (let number = 0; number <= size; number++) {
    const upTo = number === size ? 1 : normal((number + 0.5 - mean) / deviation);
    distribution[number] = upTo - before;
    before = upTo;
  }
  return distribution;
}
