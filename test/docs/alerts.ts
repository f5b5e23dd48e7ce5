/** The alert rules of examples/grafana, as docs/operations.md lists them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectRoot } from '../helpers/build.ts';
import { code, table } from './tables.ts';

const rule = z.object({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.object({ severity: z.string() }),
  annotations: z.object({ summary: z.string(), description: z.string() }),
});
const file = z.object({ groups: z.array(z.object({ rules: z.array(rule) })) });

/**
 * A text of a rule, with words for what Prometheus puts in.
 * @param expr the rule's expression: its first bound is what the value has passed
 */
function inWords(text: string, expr: string): string {
  const bound = Number(/[<>] ([\d.]+)/.exec(expr)?.[1]);
  return text
    .replace('{{ $value | humanizePercentage }}', `More than ${bound * 100} %`)
    .replace('{{ $value }}', `fewer than ${bound}`)
    .replaceAll('{{ $labels.instance }}', 'a proxy')
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '*$1*')
    .replace(/^a /, 'A ');
}

export function alerts(): string {
  const { groups } = file.parse(parse(readFileSync(join(projectRoot, 'examples/grafana/alerts.yaml'), 'utf8')));
  const rows = groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr, for: time, labels, annotations }) => [
      code(alert),
      labels.severity,
      `${inWords(annotations.summary, expr)}${time === undefined ? '' : `, for ${time}`}`,
      annotations.description,
    ]),
  );
  return table(['Alert', 'Severity', 'When', 'What to do'], rows);
}
