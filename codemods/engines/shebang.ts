/** The parsers take a `#!` after a byte order mark for an error; as a comment of the same length they skip it. */
export function hideShebang(text: string): string {
  return text.startsWith('\uFEFF#!') ? ` //${text.slice(3)}` : text;
}
