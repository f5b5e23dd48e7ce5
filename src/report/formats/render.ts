/** The formats of the report, by their names. */
import { renderHtml } from '../html/render.ts';
import type { GroupBy, ReportFormat } from '../../config/report-formats.ts';
import type { Pieces } from '../../text/escape.ts';
import type { Report } from '../model.ts';
import { renderCsv } from './csv.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { renderNdjson } from './ndjson.ts';
import { renderTable, type TableOptions } from './table.ts';

export interface RenderOptions extends TableOptions {
  readonly format: ReportFormat;
  /** What a row is; JSON and HTML hold everything. */
  readonly groupBy: GroupBy;
}

const renderers: Readonly<Record<ReportFormat, (report: Report, options: RenderOptions) => Pieces>> = {
  table: (report, options) => [renderTable(report, options)],
  json: renderJson,
  csv: (report, options) => [renderCsv(report, options)],
  markdown: (report, options) => [renderMarkdown(report, options)],
  html: (report) => [renderHtml(report)],
  ndjson: renderNdjson,
};

/** Writes the report in one of its formats, piece by piece. */
export const reportPieces = (report: Report, options: RenderOptions): Pieces => renderers[options.format](report, options);

/** Writes the report in one of its formats. */
export const renderReport = (report: Report, options: RenderOptions): string => [...reportPieces(report, options)].join('');
