/** The public API. */
import './needs-node.ts';
import { checkOptions } from '../codemods/options.ts';
import type { MigrateOptions as RunOptions, MigrateResult } from '../codemods/result.ts';
import { parseOptions } from './config/parse.ts';
import type { ReportFormat } from './config/report-formats.ts';
import type { Assumptions } from './contract/assumptions.ts';
import type { Report } from './report/model.ts';
import type { IgnoreRule } from './usage/ignored.ts';
import type { WorkspaceOption } from './usage/workspaces.ts';

export { MigrateError, type MigrateErrorCode } from '../codemods/errors.ts';
export { FindError } from '../codemods/find/errors.ts';
export type { Call, Candidate, Edit, Finding, FindingCode, LedgerEntry, Plan, Span, Step } from '../codemods/model.ts';
export type { ChangedFile, Group, MigrateResult, Progress, Recovery } from '../codemods/result.ts';
export { type KeyMap, openKeyMap } from '../proxy/keys/key-map.ts';
export { createMigrationProxy, type MigrationHandler, type MigrationProxyOptions } from './migration-proxy.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/sandbox.ts';
export type { SandboxSnapshot } from './sandbox/instance/snapshot.ts';
export type { Assumptions } from './contract/assumptions.ts';
export type { Report as UsageReport } from './report/model.ts';
export { StoreError, type StoreErrorCode } from './usage/store/error.ts';
export { WebhookError, type WebhookErrorCode } from './webhooks/error.ts';
export type { WebhookEvent } from './webhooks/event.ts';
export { verifyWebhook } from './webhooks/verify.ts';

/** What `migrate-v2 [paths..]` takes: everything but the paths has the default that it has there. */
export interface MigrateOptions extends Partial<Omit<RunOptions, 'paths' | 'v1Base'>> {
  /** Files and folders, absolute or relative to `cwd`. */
  readonly paths: string | readonly string[];
  /**
   * Base addresses of v1 without `/v1`: URLs, or `env:NAME` for an environment variable that holds one. Without any nothing is written:
   * the plan then lists the bases that v1-like calls go to (`plan.candidates`).
   */
  readonly v1Base?: string | readonly string[] | undefined;
}

/**
 * Finds the calls of v1 under the given paths and rewrites those that are proven to go to one of the bases.
 *
 * The libraries that read code are loaded with the first call.
 * @returns what was and was not done; a file that failed stands among `failures` and never stops the others
 * @throws MigrateError where the run may not begin: an option that is not known or not accepted, uncommitted changes (`force`), or a
 * base that is none
 * @throws FindError where a given path cannot be looked at
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  checkOptions(options);
  const { paths, v1Base = [], cwd = process.cwd(), ...rest } = options;
  const run = await import('../codemods/migrate.ts');
  return run.migrate({ ...rest, cwd, paths: listOf(paths), v1Base: listOf(v1Base) });
}

/** What `migrate-v2 report` takes: everything but the store has the default that it has there. */
export interface UsageReportOptions {
  /** A file, or `postgres://…`. */
  readonly store: string;
  /** `30d` for 30 days ago, a date, or an instant in ISO 8601. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly workspaces?: readonly WorkspaceOption[] | undefined;
  readonly ignore?: readonly IgnoreRule[] | undefined;
  readonly assumptions?: Partial<Assumptions> | undefined;
  /** The longest time between two runs of any job, such as `31d`, which it is where it is not given. */
  readonly rarestJob?: string | undefined;
  /** Names of the proxies that have to record. */
  readonly replicas?: readonly string[] | undefined;
  /** The one of the proxies, where they were given one: it finds a client again of which older records have a hash. */
  readonly hashSecret?: string | undefined;
  /** As the configuration of the proxies has it: the report then tells of brownouts to come, and whom a rule is about. */
  readonly rollout?: unknown;
  /** Epoch milliseconds; the present, where it is not given. */
  readonly now?: number | undefined;
}

/**
 * Tells who still uses v1, and whether it may be stopped, from the record that proxies keep.
 * @returns the report as data, as its schema `migrate-v2/usage-report.schema.json` has it
 * @throws ConfigError that names the option which is not known or not accepted
 * @throws StoreError where the store is not there or cannot be read
 */
export async function usageReport({ now = Date.now(), ...options }: UsageReportOptions): Promise<Report> {
  const settings = parseOptions('report', options);
  const [{ buildReport }, { openReader }] = await Promise.all([import('./report/build.ts'), import('./usage/store/open.ts')]);
  const reader = await openReader(options.store);
  try {
    return await buildReport(reader, { ...settings, now });
  } finally {
    await reader.close();
  }
}

/** Writes a report as a page, for a wiki, for a spreadsheet, or for a terminal of 80 columns without colours. */
export async function renderUsageReport(report: Report, format: ReportFormat): Promise<string> {
  const { renderReport } = await import('./report/formats/render.ts');
  return renderReport(report, { format, groupBy: 'workspace', width: 80, color: false });
}

const listOf = (given: string | readonly string[]): readonly string[] => (typeof given === 'string' ? [given] : given);
