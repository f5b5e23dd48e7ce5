/** The forms that `--format` names. */
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import type { Reporter } from './report.ts';
import { sarif } from './sarif.ts';
import { text } from './text.ts';

export const reporters = { text, json, sarif, markdown } as const satisfies Record<string, Reporter>;
export type Format = keyof typeof reporters;
