/** The formats of the report, by their names. */
import { renderHtml } from '../html/render.ts';
import type { GroupBy, ReportFormat } from '../../config/report-formats.ts';
import type { Report } from '../model.ts';
import { renderCsv } from './csv.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { renderTable, type TableOptions } from './table.ts';

export interface RenderOptions extends TableOptions {
  readonly format: ReportFormat;
  /** What a row is; JSON and HTML hold everything. */
  readonly groupBy: GroupBy;
}

const renderers: Readonly<Record<ReportFormat, (report: Report, options: RenderOptions) => string>> = {
  table: renderTable,
  json: renderJson,
  csv: renderCsv,
  markdown: renderMarkdown,
  html: (report) => renderHtml(report),
};

/** Writes the report in one of its formats. */
export const renderReport = (report: Report, options: RenderOptions): string => renderers[options.format](report, options);
