/** How much a text counts towards the bounds on what is kept: once for each KiB begun of it, as UTF-8. */
export function kibOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 1_024);
}
