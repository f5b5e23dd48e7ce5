/** The forms that `--format` names. */
import type { MigrateFormat } from '../../src/config/report-formats.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import type { Reporter } from './report.ts';
import { sarif } from './sarif.ts';
import { text } from './text.ts';

export const reporters = { text, json, sarif, markdown } as const satisfies Record<MigrateFormat, Reporter>;
export type Format = keyof typeof reporters;
