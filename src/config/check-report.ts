import { ConfigError } from './errors.ts';
import { groupedFormats, reportFormats } from './report-formats.ts';
import { noStore } from './setting.ts';
import type { Settings } from './settings.ts';
import { and } from '../text/list.ts';

/**
 * Settings of the report that only make sense together. What `since` and `until` are to each other depends on the time: see report/period.ts.
 * @param sourceOf says where a setting was given
 * @throws ConfigError for the first pair that does not
 */
export function checkReport(settings: Settings<'report'>, sourceOf: (name: string) => string | undefined): void {
  const fail = (name: string, problem: string, key = `--${name}`): ConfigError =>
    new ConfigError({ code: 'CONFIG_CONFLICT', key, problem, source: sourceOf(name) });

  if (settings.store === noStore) throw fail('store', 'is none, and there is no report without a record; give the store of the proxy');
  if (settings.groupBy !== 'workspace' && !reportFormats[settings.format].isGrouped) {
    throw fail('groupBy', `is for ${and(groupedFormats)}, and ${settings.format} has rows of every kind; leave it out`, '--group-by');
  }
  if (settings.code.length > 0 && settings.workspace.length + settings.owner.length > 0) {
    throw fail('code', 'is about everybody who calls, and excludes --workspace and --owner; leave one of them out');
  }
  if (!settings.watch) return;
  if (settings.check) throw fail('watch', 'excludes --check, which ends with a verdict; leave one of them out');
  if (settings.out !== undefined) throw fail('watch', 'excludes --out, as it shows the report in the terminal; leave one of them out');
  if (settings.format !== 'table') {
    throw fail('watch', 'goes with --format table alone, as it shows the report in the terminal; leave one of them out');
  }
}
