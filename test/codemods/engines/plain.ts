/** A tree as data: what is read when it is asked for stands in it like the rest. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries([...Object.entries(value), ...deferred(value)].map(([name, inner]) => [name, plain(inner)]));
}

const deferred = (node: object): [string, unknown][] =>
  Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(node))).flatMap(([name, { get }]): [string, unknown][] =>
    get === undefined || name === '__proto__' ? [] : [[name, get.call(node)]],
  );
