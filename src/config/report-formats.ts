/**
 * The forms of the reports, each named once: settings and library go by these lists, and the types ask the renderers in src/report/formats and
 * the reporters in codemods/report for each.
 */

/** Whether the rows of a format are of one kind, which `--group-by` chooses; the others hold all kinds. */
export const reportFormats = {
  table: { isGrouped: true },
  json: { isGrouped: false },
  csv: { isGrouped: true },
  markdown: { isGrouped: true },
  html: { isGrouped: false },
  ndjson: { isGrouped: false },
} as const satisfies Readonly<Record<string, { readonly isGrouped: boolean }>>;

export type ReportFormat = keyof typeof reportFormats;

/** The formats, typed. */
// Object.keys is typed string[]; the table is a literal, so its keys are exactly the formats.
export const reportFormatNames = Object.keys(reportFormats) as readonly ReportFormat[];

/** Those with rows of one kind. */
export const groupedFormats: readonly ReportFormat[] = reportFormatNames.filter((name) => reportFormats[name].isGrouped);

/** What a row of them can be. */
export const groupings = ['workspace', 'key', 'client', 'endpoint', 'log', 'site'] as const;
export type GroupBy = (typeof groupings)[number];

/** The forms of the report of a run of the codemods. */
export const migrateFormats = ['text', 'json', 'sarif', 'markdown'] as const;
export type MigrateFormat = (typeof migrateFormats)[number];

/** What a digest is posted as: a message of a chat, or the digest itself. */
export const postKinds = ['slack', 'teams', 'json'] as const;
export type PostKind = (typeof postKinds)[number];
