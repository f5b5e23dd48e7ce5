/** From offsets to lines and columns of one file. */

/** @returns 1-based line and column of an offset */
export function positions(source: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0, ...Array.from(source.matchAll(/\r\n|\n|\r/g), ({ index, 0: end }) => index + end.length)];
  return (offset) => {
    const after = starts.findIndex((start) => start > offset);
    const line = after === -1 ? starts.length : after;
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}
