/** A tree as data: what is read when it is asked for stands in it like the rest. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const data: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) data[name] = plain(inner);
  for (const [name, get] of gettersOf(Object.getPrototypeOf(value))) data[name] = plain(get.call(value));
  return data;
}

type Getters = readonly (readonly [name: string, get: () => unknown])[];
/** By prototype: trees have few kinds of nodes, and many of each. */
const known = new WeakMap<object, Getters>();

function gettersOf(prototype: object): Getters {
  const getters = known.get(prototype) ?? findGetters(prototype);
  known.set(prototype, getters);
  return getters;
}

const findGetters = (prototype: object): Getters =>
  Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { get }]) =>
    get === undefined || name === '__proto__' ? [] : [[name, get] as const],
  );
