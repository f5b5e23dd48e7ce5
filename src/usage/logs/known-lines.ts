/**
 * Which lines a store has counted already: of each clock hour of a source a set of marks, in the order of their numbers, each as its distance
 * from the one before. A mark is a keyed hash of the line's bytes of 40 bits: two of a million lines in one hour have the same by a chance of
 * one in a million, and it tells nothing of the line.
 */

export const markBits = 40;

/** The marks that bytes hold. */
export function readMarks(bytes: Uint8Array): Float64Array {
  const marks = new Float64Array(bytes.length);
  let [count, mark] = [0, 0];
  let [distance, scale] = [0, 1];
  for (const byte of bytes) {
    distance += (byte & 0x7f) * scale;
    if (byte >= 0x80) {
      scale *= 128;
      continue;
    }
    mark += distance;
    marks[count++] = mark;
    [distance, scale] = [0, 1];
  }
  return marks.subarray(0, count);
}

/** Bytes that hold marks, which are in order and each there once. */
function packMarks(marks: Float64Array): Uint8Array {
  const bytes = new Uint8Array(marks.length * Math.ceil(markBits / 7));
  let [at, before] = [0, 0];
  for (const mark of marks) {
    let distance = mark - before;
    before = mark;
    for (; distance >= 0x80; distance = Math.floor(distance / 128)) bytes[at++] = (distance % 128) | 0x80;
    bytes[at++] = distance;
  }
  return bytes.subarray(0, at);
}

/**
 * Adds the marks of lines to known ones.
 * @returns the places of those that are new, and bytes for all; undefined where none is
 */
export function addMarks(
  known: Uint8Array | undefined,
  marks: Float64Array,
): { readonly fresh: readonly number[]; readonly bytes: Uint8Array } | undefined {
  const before = known === undefined ? new Float64Array() : readMarks(known);
  const order = Uint32Array.from(marks.keys()).toSorted((a, b) => (marks[a] ?? 0) - (marks[b] ?? 0));
  const merged = new Float64Array(before.length + marks.length);
  const fresh: number[] = [];
  let [count, next] = [0, 0];
  for (const place of order) {
    const mark = marks[place] ?? 0;
    for (; next < before.length && (before[next] ?? 0) <= mark; next++) merged[count++] = before[next] ?? 0;
    if (count > 0 && merged[count - 1] === mark) continue;
    merged[count++] = mark;
    fresh.push(place);
  }
  if (fresh.length === 0) return undefined;
  for (; next < before.length; next++) merged[count++] = before[next] ?? 0;
  return { fresh, bytes: packMarks(merged.subarray(0, count)) };
}
