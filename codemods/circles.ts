/** Things that lead to each other, also in circles. */

/**
 * What everything sums up to that something leads to, itself included. Each thing is looked at once, whatever it is come to from: those of a circle lead to the
 * same (Tarjan's strongly connected components). It is no function that calls itself, as chains may be long.
 * @param sumOf of all things of a circle, with the sums of what it leads to beside them
 */
export function summedUp<Thing, Sum extends object>(
  nextOf: (thing: Thing) => Iterable<Thing>,
  sumOf: (circle: readonly Thing[], beyond: ReadonlySet<Sum>) => Sum,
): (thing: Thing) => Sum {
  const sums = new Map<Thing, Sum>();
  /** Those of which it is not known yet what circle they are of, and where each stands among them. */
  const open: Thing[] = [];
  const places = new Map<Thing, number>();
  /** How the one that is looked at was come to; `first` is the first that is open and that each leads to. */
  const path: { readonly at: number; readonly next: Iterator<Thing>; first: number }[] = [];

  function enter(thing: Thing): void {
    const at = open.push(thing) - 1;
    places.set(thing, at);
    path.push({ at, next: nextOf(thing)[Symbol.iterator](), first: at });
  }
  function close(at: number): void {
    const circle = open.splice(at);
    const beyond = new Set<Sum>();
    for (const next of circle.flatMap((each) => [...nextOf(each)])) {
      const sum = sums.get(next);
      if (sum !== undefined) beyond.add(sum);
    }
    const sum = sumOf(circle, beyond);
    for (const each of circle) sums.set(each, sum);
  }
  return function sumFrom(begin) {
    const known = sums.get(begin);
    if (known !== undefined) return known;
    enter(begin);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { value: next, done } = top.next.next();
      if (done !== true) {
        if (sums.has(next)) continue;
        const at = places.get(next);
        if (at === undefined) enter(next);
        else top.first = Math.min(top.first, at);
        continue;
      }
      path.pop();
      const before = path.at(-1);
      if (before !== undefined) before.first = Math.min(before.first, top.first);
      if (top.first === top.at) close(top.at);
    }
    return sumFrom(begin);
  };
}
