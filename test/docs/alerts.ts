/** The alert rules of examples/grafana, as docs/operations.md lists them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectRoot } from '../helpers/build.ts';
import { code, table } from './tables.ts';

const rule = z.object({
  alert: z.string(),
  for: z.string().optional(),
  labels: z.object({ severity: z.string() }),
  annotations: z.object({ summary: z.string(), description: z.string() }),
});
const file = z.object({ groups: z.array(z.object({ rules: z.array(rule) })) });

/** What a template of Prometheus stands for, in words. */
const inWords = (text: string): string =>
  text
    .replace('{{ $value | humanizePercentage }}', 'More than 1 %')
    .replace('in {{ $value }} days', 'within 30 days')
    .replaceAll(/\{\{ \$labels\.instance \}\}/g, 'a proxy')
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '*$1*')
    .replace(/^a /, 'A ');

export function alerts(): string {
  const { groups } = file.parse(parse(readFileSync(join(projectRoot, 'examples/grafana/alerts.yaml'), 'utf8')));
  const rows = groups.flatMap(({ rules }) =>
    rules.map(({ alert, for: time, labels, annotations }) => [
      code(alert),
      labels.severity,
      `${inWords(annotations.summary)}${time === undefined ? '' : `, for ${time}`}`,
      annotations.description,
    ]),
  );
  return table(['Alert', 'Severity', 'When', 'What to do'], rows);
}
