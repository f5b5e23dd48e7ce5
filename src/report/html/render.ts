/** The report as one HTML file: it asks for nothing, runs one small script of ours by its hash, and is whole without it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Report } from '../model.ts';
import { html, raw } from './escape.ts';
import { type MainOptions, mainSections, titleOf } from './main.ts';
import { style } from './style.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** One script of two files, of which each can be read and checked by itself. */
const script = [read('../live/times.js').replace(/^export /gm, ''), read('./file.js').replace(/^import .*\n/m, '')].join('\n');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`;

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
        ${raw(`<script type="module">${script}</script>`)}
      </body>
    </html> `}`;
}
