/** The report as one HTML file: it asks for nothing, runs nothing, and is read without anything else. */
import { createHash } from 'node:crypto';
import type { Report } from '../model.ts';
import { html, raw } from './escape.ts';
import { type MainOptions, mainSections, titleOf } from './main.ts';
import { style } from './style.ts';

const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

/**
 * Renders a report as a page of its own.
 * @param options `rows` that each table shows at most
 */
export function renderHtml(report: Report, options: Pick<MainOptions, 'rows'> = {}): string {
  return `${html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${raw(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${titleOf(report)}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        <main id="report">${mainSections(report, options).map(({ html }) => html)}</main>
      </body>
    </html> `}`;
}
