import { stripVTControlCharacters } from 'node:util';
import { fromMarkdown } from 'mdast-util-from-markdown';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { renderReport } from '../../../src/report/formats/render.ts';
import type { Report } from '../../../src/report/model.ts';
import { hostileContent, hostileOptions } from '../hostile.ts';
import { parseCsv } from './parse-csv.ts';
import { elements } from '../html/dom.ts';
import { groupings, type GroupBy, type ReportFormat, reportFormatNames } from '../../../src/config/report-formats.ts';
import { reportOf, sample } from './sample.ts';

const cases = reportFormatNames.flatMap((format) => groupings.map((groupBy) => ({ format, groupBy })));

let report: Promise<Report> | undefined;
/** Made once, in the first test. */
const hostile = (): Promise<Report> => (report ??= reportOf(hostileContent, hostileOptions));

const rendered = new Map<string, string>();
/** Each once, whoever asks. */
async function render(format: ReportFormat, groupBy: GroupBy, width = 80, color = false): Promise<string> {
  const key = [format, groupBy, width, color].join();
  const text = rendered.get(key) ?? renderReport(await hostile(), { format, groupBy, width, color });
  rendered.set(key, text);
  return text;
}

describe('hostile text', () => {
  test.each(cases)('in $format by $groupBy is nothing that a terminal or an editor obeys', async ({ format, groupBy }) => {
    const text = await render(format, groupBy);
    const lines = format === 'csv' ? text.replaceAll('\r\n', '\n') : text;
    expect(lines.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200f\u202e\u2066\ufeff]/u);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('x'.repeat(8));
  });

  test.each(groupings.flatMap((groupBy) => [80, 140].map((width) => ({ groupBy, width }))))(
    'in the table by $groupBy breaks no line of a terminal with $width columns',
    async ({ groupBy, width }) => {
      const wide = (await render('table', groupBy, width)).split('\n').filter((line) => stringWidth(line) > width);
      expect(wide).toEqual([]);
    },
  );

  test.each(groupings)('in a coloured table by %s leaves all colours to the table', async (groupBy) => {
    expect(stripVTControlCharacters(await render('table', groupBy, 80, true))).toBe(await render('table', groupBy));
  });

  test.each(groupings)('in CSV by %s is no formula, and as many cells in every row', async (groupBy) => {
    const [head = [], ...rows] = parseCsv(await render('csv', groupBy));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toHaveLength(head.length);
    const cells = rows.flat().filter((cell) => !/^-?\d+(\.\d+)?$/.test(cell));
    expect(cells.filter((cell) => /^\s*[=+\-@＝]/.test(cell))).toEqual([]);
  });

  test.each(groupings)('in Markdown by %s is no markup, and as many cells in every row', async (groupBy) => {
    const text = await render('markdown', groupBy);
    const kinds = new Set<string>();
    const look = (node: { readonly type: string; readonly children?: readonly { readonly type: string }[] }): void => {
      kinds.add(node.type);
      node.children?.forEach(look);
    };
    look(fromMarkdown(text));
    expect([...kinds].toSorted()).toEqual(['heading', 'inlineCode', 'list', 'listItem', 'paragraph', 'root', 'strong', 'text'].toSorted());
    const tables = text.split('\n\n').filter((block) => block.startsWith('| '));
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) {
      const cells = table.split('\n').map((row) => row.split(/(?<!\\)\|/).length);
      expect(new Set(cells).size).toBe(1);
    }
  });

  test('in HTML is no element and no attribute', async () => {
    const markup = (page: string): ReadonlySet<string> =>
      new Set(
        elements(page, '*').flatMap(({ name, attribs }) => [name, ...Object.keys(attribs).map((attribute) => `${name} ${attribute}`)]),
      );
    const page = await render('html', 'workspace');
    expect(page).not.toContain('<!-- ');
    const meant = markup(renderReport(await sample(), { format: 'html', groupBy: 'workspace', width: 80, color: false }));
    expect([...markup(page)].filter((each) => !meant.has(each))).toEqual([]);
  });

  test('in JSON says what the report says', async () => {
    expect(JSON.parse(await render('json', 'workspace'))).toEqual(JSON.parse(JSON.stringify(await hostile())));
  });

  test.each(['table', 'markdown'] as const)('of 20 kB does not fill the %s', async (format) => {
    expect((await render(format, 'client')).length).toBeLessThan(65_536);
  });
});
