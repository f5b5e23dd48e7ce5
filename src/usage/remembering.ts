const remembered = 1_000;
const longestRemembered = 512;

/** A function with a bounded memory of what it gave: most calls come from few clients, and anybody can send new texts, and long ones. */
export function remembering<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    if (known.size >= remembered) known.clear();
    if (text.length <= longestRemembered) known.set(text, made);
    return made;
  };
}

const rememberedPairs = 5_000;

/** The same for a function of two texts. */
export function rememberingPairs<T>(make: (first: string, second: string) => T): (first: string, second: string) => T {
  const known = new Map<string, Map<string, T>>();
  let size = 0;
  return (first, second) => {
    const before = known.get(first)?.get(second);
    if (before !== undefined) return before;
    const made = make(first, second);
    if (first.length > longestRemembered || second.length > longestRemembered) return made;
    if (size++ >= rememberedPairs) {
      known.clear();
      size = 1;
    }
    const ofFirst = known.get(first);
    if (ofFirst === undefined) known.set(first, new Map([[second, made]]));
    else ofFirst.set(second, made);
    return made;
  };
}
