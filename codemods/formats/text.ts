/** Text that remembers where in the file each of its characters stands, however it was quoted, folded or put together from variables. */

export interface Text {
  readonly value: string;
  /** For each character its offset in what is read; for an escape the offset of its backslash. NaN where it stands nowhere. */
  readonly at: readonly number[];
  /**
   * For each character what a space put there takes: `u` a backslash (a shell word outside quotes), `e` nothing, but a backslash
   * would have to be doubled (a text with escapes), `x` both, `s` cannot be put there, as it would make two words of one, else a space: nothing.
   */
  readonly marks: string;
}

/** Offsets of a file. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export const nothing: Text = { value: '', at: [], marks: '' };

/** Text that stands nowhere in the file, or is written in a way that cannot be changed in part. */
export const unplaced = (value: string): Text => ({
  value,
  at: Array.from({ length: value.length }, () => Number.NaN),
  marks: ' '.repeat(value.length),
});

/** Text that stands in the file as it is. */
export function plain(value: string, start: number): Text {
  return { value, at: Array.from({ length: value.length }, (_, i) => start + i), marks: ' '.repeat(value.length) };
}

/** A text that stands for a place of another length: what a template puts in there. */
export const standingFor = (value: string, { start, end }: TextRange): Text => ({
  ...plain(value, start),
  at: Array.from({ length: value.length }, (_, i) => (i === value.length - 1 ? end - 1 : start)),
});

/** A text that is split at its blanks where it is used. */
export const splitAtBlanks = (text: Text): Text => ({ ...text, marks: 's'.repeat(text.value.length) });

export function slice(text: Text, start: number, end = text.value.length): Text {
  return { value: text.value.slice(start, end), at: text.at.slice(start, end), marks: text.marks.slice(start, end) };
}

export function join(parts: readonly Text[]): Text {
  return {
    value: parts.map(({ value }) => value).join(''),
    at: parts.flatMap(({ at }) => at),
    marks: parts.map(({ marks }) => marks).join(''),
  };
}

/** The places that a text is made of. */
export function placesOf(text: Text): TextRange[] {
  const places: { start: number; end: number }[] = [];
  for (const at of text.at) {
    if (Number.isNaN(at)) continue;
    const last = places.at(-1);
    // Quotes and escapes stand between characters of one literal.
    if (last !== undefined && at >= last.end && at - last.end <= 2) last.end = at + 1;
    else places.push({ start: at, end: at + 1 });
  }
  return places;
}

const simpleEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0', e: '\u{1B}' };

/**
 * Finds each character of a decoded value in the text it was decoded from. Indentation, folded lines and escapes are passed over.
 * @param escapes whether a backslash escapes
 * @returns undefined where the two do not fit together
 */
export function align(source: string, { start, end }: TextRange, value: string, escapes: boolean): Text | undefined {
  const at: number[] = [];
  let from = start;
  for (let i = 0; i < value.length;) {
    const wanted = value.charAt(i);
    const found = source.charAt(from);
    if (from >= end) {
      if (value.slice(i).trim() !== '') return undefined;
      at.push(end);
      i++;
    } else if (escapes && found === '\\') {
      const escape = readEscape(source, from);
      if (!value.startsWith(escape.value, i)) return undefined;
      for (let k = 0; k < escape.value.length; k++) at.push(from);
      i += escape.value.length;
      from += escape.length;
    } else if (found === wanted) {
      at.push(from++);
      i++;
      if (wanted === "'" && !escapes && source.charAt(from) === "'" && value.charAt(i) !== "'") from++;
    } else if (/\s/.test(found)) {
      from++;
    } else if (/\s/.test(wanted)) {
      at.push(from);
      i++;
    } else return undefined;
  }
  return { value, at, marks: (escapes ? 'e' : ' ').repeat(value.length) };
}

function readEscape(source: string, at: number): { value: string; length: number } {
  const kind = source.charAt(at + 1);
  const digits = { u: 4, x: 2, U: 8 }[kind];
  if (digits !== undefined) {
    const code = Number.parseInt(source.slice(at + 2, at + 2 + digits), 16);
    return { value: code <= 0x10_ff_ff ? String.fromCodePoint(code) : '', length: digits + 2 };
  }
  // A line that ends in a backslash goes on behind the next one's indentation.
  const continued = /^\\[ \t]*\r?\n\s*/.exec(source.slice(at, at + 200));
  if (continued !== null) return { value: '', length: continued[0].length };
  return { value: simpleEscapes[kind] ?? kind, length: 2 };
}

/** Blanks in place of all but line ends. */
export function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ');
}

/** A text in which some places are blank; they may overlap. */
export function blanked(text: string, places: readonly TextRange[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    if (end <= at) continue;
    pieces.push(text.slice(at, start), blank(text.slice(Math.max(at, start), end)));
    at = end;
  }
  return pieces.join('') + text.slice(at);
}

/** The index of the first place that ends after an offset; they are in order and apart from each other. */
export function firstBehind(places: readonly TextRange[], offset: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Tells whether a place overlaps one of many. */
export function coverOf(places: readonly TextRange[]): (place: TextRange) => boolean {
  const apart: { start: number; end: number }[] = [];
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else apart.push({ start, end });
  }
  return ({ start, end }) => (apart[firstBehind(apart, start)]?.start ?? Infinity) < end;
}
