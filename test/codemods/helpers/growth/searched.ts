/**
 * What a run searches, in characters of texts and items of lists. No step counts a look at the text around a literal, as it is little; but as many of them
 * as a file has literals, each at the whole file, are the square of it.
 */

type Cost = (self: unknown, args: readonly unknown[]) => (result: unknown) => number;

const lengthOf = (of: unknown): number => (typeof of === 'string' || Array.isArray(of) ? of.length : 0);
const whole: Cost = (self) => () => lengthOf(self);
/** What ends where it has found something; how far it came then does not matter. */
const unlessFound =
  (none: unknown): Cost =>
  (self) =>
  (result) =>
    result === none ? lengthOf(self) : 0;

/** As far as it looked for a match; what has to stand at the beginning is looked for there alone. */
const sought: Cost = (self, [text]) => {
  if (!(self instanceof RegExp) || self.sticky || (self.source.startsWith('^') && !self.multiline)) return () => 0;
  const from = self.global ? self.lastIndex : 0;
  return (result) => (result === null ? lengthOf(text) : Array.isArray(result) && 'index' in result ? Number(result.index) : 0) - from;
};

const searches: readonly (readonly [object, Readonly<Record<string, Cost>>])[] = [
  [String.prototype, { includes: unlessFound(false), indexOf: unlessFound(-1), toLowerCase: whole, split: whole }],
  // Whatever else is done by a pattern comes to this.
  [RegExp.prototype, { exec: sought }],
  [
    Array.prototype,
    {
      filter: whole,
      map: whole,
      flatMap: whole,
      includes: unlessFound(false),
      indexOf: unlessFound(-1),
      some: unlessFound(false),
      every: unlessFound(true),
      find: unlessFound(undefined),
    },
  ],
];

export function searchedIn(run: () => void): number {
  let searched = 0;
  const kept: (() => void)[] = [];
  for (const [prototype, methods] of searches)
    for (const [name, costOf] of Object.entries(methods)) {
      const own: unknown = Reflect.get(prototype, name);
      if (typeof own !== 'function') throw new TypeError(`${name} is no method`);
      kept.push(() => Reflect.set(prototype, name, own));
      Reflect.set(prototype, name, function watched(this: unknown, ...args: readonly unknown[]): unknown {
        const cost = costOf(this, args);
        const result: unknown = Reflect.apply(own, this, args);
        searched += cost(result);
        return result;
      });
    }
  try {
    run();
  } finally {
    for (const restore of kept) restore();
  }
  return searched;
}
