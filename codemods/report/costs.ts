/** What took most of a run, for `--verbose`. */
import { plain } from '../../src/text/escape.ts';
import { withCommas } from '../../src/text/with-commas.ts';
import type { Cost, Costs } from '../model.ts';

/** The most expensive questions and files, as lines. */
export function costLines({ steps, questions, files }: Costs): string[] {
  const width = Math.max(0, ...[...questions, ...files].map((cost) => withCommas(cost.steps).length));
  const lineOf = ({ file, line, steps }: Cost): string =>
    `  ${withCommas(steps).padStart(width)}  ${plain(file)}${line === undefined ? '' : `:${line}`}`;
  return [
    `The evaluation took ${withCommas(steps)} steps. Most were for what these places ask:`,
    ...questions.map(lineOf),
    'and for all that is asked in these files:',
    ...files.map(lineOf),
  ];
}
