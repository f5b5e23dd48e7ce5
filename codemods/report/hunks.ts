/** The hunks of a patch, and what they show around what changes: as much of it as may be seen. */
export interface Hunk {
  /** The lines of the old text that it shows, counted from 1; `to` is the one after them. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@[^\n]*\n/;

export const hunksOf = (patch: string): Hunk[] =>
  patch
    .split(/^(?=@@ -)/m)
    .slice(1)
    .map((text) => {
      const [, from = '0', lines = '1'] = header.exec(text) ?? [];
      return { from: Number(from), to: Number(from) + Number(lines), text };
    });

/** What stands before the hunks: the names of the file. */
export const headOf = (patch: string): string => patch.split(/^(?=@@ -)/m)[0] ?? '';

interface Line {
  /** With what says that the file ends without a line end. */
  readonly text: string;
  readonly kind: ' ' | '-' | '+';
  readonly before: number;
  readonly after: number;
}

const isChange = ({ kind }: Line): boolean => kind !== ' ';

/**
 * The same changes without the lines beside them that must not be seen: several hunks where such a line stood between.
 * @param isHidden asked of one line, and of what shows several
 * @returns undefined where what changes must not be seen itself, or what is left would not say where it is
 */
export function hunksWithout(hunk: Hunk, isHidden: (text: string) => boolean): Hunk[] | undefined {
  const lines = linesOf(hunk);
  for (const isLeft of [(line: Line) => !isChange(line) && isHidden(line.text), (line: Line) => !isChange(line)]) {
    const parts = partsOf(lines, isLeft).filter((part) => part.some(isChange));
    // Without an old line it would not say after which line something comes.
    if (parts.some((part) => !part.some(({ kind }) => kind !== '+'))) return undefined;
    const made = parts.map(hunkOf);
    if (!made.some(({ text }) => isHidden(text))) return made;
  }
  return undefined;
}

function linesOf({ text }: Hunk): Line[] {
  const [all = '', from = '0', , to = '0'] = header.exec(text) ?? [];
  let [before, after] = [Number(from), Number(to)];
  const written = text.slice(all.length).match(/[ +-][^\n]*\n?(?:\\[^\n]*\n?)?/g) ?? [];
  return written.map((line): Line => {
    const kind = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
    const at = { text: line, kind, before, after } as const;
    if (kind !== '+') before += 1;
    if (kind !== '-') after += 1;
    return at;
  });
}

function partsOf(lines: readonly Line[], isLeft: (line: Line) => boolean): Line[][] {
  const parts: Line[][] = [[]];
  for (const line of lines) {
    if (isLeft(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}

function hunkOf(lines: readonly Line[]): Hunk {
  const [first] = lines;
  const [from, to] = [first?.before ?? 0, first?.after ?? 0];
  const [old, fresh] = ['+', '-'].map((other) => lines.filter(({ kind }) => kind !== other).length);
  return {
    from,
    to: from + (old ?? 0),
    text: `@@ -${from},${old} +${fresh === 0 ? to - 1 : to},${fresh} @@\n${lines.map(({ text }) => text).join('')}`,
  };
}

/** Whether git finds its place without being told that lines around may be missing: one that shows nothing after a change must end with its file. */
export const isPlain = ({ text, to }: Hunk, lineCount: number): boolean => {
  const last = linesOf({ text, from: 0, to: 0 }).at(-1);
  return last?.kind === ' ' || to > lineCount;
};
