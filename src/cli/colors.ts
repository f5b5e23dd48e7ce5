/** Whether a stream may be given colours: a terminal that has them and nobody said NO_COLOR, or FORCE_COLOR said so, as in CI. */
export function hasColors(stream: NodeJS.WriteStream): boolean {
  const forced = process.env['FORCE_COLOR'];
  return forced === undefined ? stream.isTTY && stream.hasColors() : !['0', 'false'].includes(forced);
}
