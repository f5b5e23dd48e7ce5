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
