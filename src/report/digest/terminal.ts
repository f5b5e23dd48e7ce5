/** The digest in a terminal, as the report is there: nothing in it is escaped for Markdown, and no line is wider than the window. */
import { styleFor } from '../../text/style.ts';
import { verdictStyle } from '../formats/columns.ts';
import { wrapped } from '../formats/grid.ts';
import type { Digest } from './model.ts';
import { digestText, type Line } from './text.ts';

/** @param width of the window */
export function digestInTerminal(digest: Digest, { width, color }: { readonly width: number; readonly color: boolean }): string {
  const { title, verdict, facts, sections } = digestText(digest);
  const style = styleFor(color);
  const line = ({ name, text }: Line, mark: string): readonly string[] => wrapped(`${name}: ${text}`, width, mark);
  const head = [
    ...wrapped(title, width).map((text) => style('bold', text)),
    '',
    ...wrapped(`${verdict.title}: ${verdict.text}`, width).map((text) =>
      style(['bold', verdictStyle({ state: digest.verdict.now })], text),
    ),
    ...facts.flatMap((fact) => line(fact, '  - ')),
  ];
  const blocks = sections.map(({ title, lines, isOrdered }) => [
    style('bold', title),
    ...lines.flatMap((each, index) => line(each, isOrdered ? `  ${index + 1}. ` : '  - ')),
  ]);
  return `${[head, ...blocks].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
