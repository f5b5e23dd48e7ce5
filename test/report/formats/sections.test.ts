import { expect, test } from 'vitest';
import { groupings } from '../../../src/config/report-formats.ts';
import { renderMarkdown } from '../../../src/report/formats/markdown.ts';
import { type Section, sectionsOf } from '../../../src/report/formats/sections.ts';
import { renderTable } from '../../../src/report/formats/table.ts';
import { timeOf } from '../../../src/report/text/figures.ts';
import { sample } from './sample.ts';

/** What tells a section from the others in a terminal, where the heads of most tables are title enough. */
const sign = (section: Section): string => {
  if (section.kind === 'gaps') return 'Not recorded';
  if (section.kind !== 'table' || section.needsTitle) return section.title;
  return section.write((columns) => columns[0]?.head ?? '');
};

test.each(groupings)('by %s, a terminal and Markdown have the same sections in the same order', async (groupBy) => {
  const report = await sample();
  const sections = sectionsOf(report, groupBy, timeOf);
  const begins = renderTable(report, { groupBy, width: 200, color: false }).split('\n\n').slice(-sections.length);
  expect(begins.map((text, i) => text.startsWith(sign(sections[i]!)))).toEqual(sections.map(() => true));
  const titles = [...renderMarkdown(report, { groupBy }).matchAll(/^### (.*)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(sections.map((section) => (section.kind === 'gaps' ? 'Not recorded' : section.title)));
});
