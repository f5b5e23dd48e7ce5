/** How wide what is printed may be. */

/** Of a terminal that does not say how wide it is. */
const usualWidth = 80;

/** How wide a line on stdout may be: what is piped or written is cut nowhere, unless somebody asks for it with COLUMNS. */
export function stdoutWidth(toTerminal = process.stdout.isTTY): number {
  const asked = Number(process.env['COLUMNS']);
  if (toTerminal && process.stdout.columns > 0) return process.stdout.columns;
  if (Number.isInteger(asked) && asked > 0) return asked;
  return toTerminal ? usualWidth : Infinity;
}
