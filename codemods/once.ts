/** What is made when it is first asked for, and then kept. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The same for each key. */
export function memo<Value, Key = string>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** The same for objects, each for as long as it lives. */
export function memoOf<Value, Key extends object>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** A question that is got ready when it is first asked. */
export function whenAsked<Asked extends readonly unknown[], Answer>(make: () => (...asked: Asked) => Answer): (...asked: Asked) => Answer {
  const question = once(make);
  return (...asked) => question()(...asked);
}
