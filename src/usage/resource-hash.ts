/** FNV-1a: tells resources apart in memory that does not grow with their names. */
export function resourceHash(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  return bits;
}

/** The hash of a resource together with whose it is. */
export function hashOfBoth(resource: number, whose: number): number {
  const bits = Math.imul(resource ^ Math.imul(whose | 0, 0x9e3779b1), 0x85ebca6b);
  return bits ^ (bits >>> 15);
}
