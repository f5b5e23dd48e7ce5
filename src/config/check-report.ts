import { ConfigError } from './errors.ts';
import { groupedFormats, reportFormats } from './report-formats.ts';
import { noStore } from './setting.ts';
import type { Settings } from './settings.ts';
import { and } from '../text/list.ts';
import { commandLine } from './sources.ts';
import { readHttpUrl } from './types.ts';

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
  if (settings.letters === undefined) {
    const name = (['templates', 'from'] as const).find((each) => settings[each] !== undefined);
    if (name !== undefined && sourceOf(name) === 'the command line')
      throw fail(name, 'is for --letters; give that as well, or leave it out');
  } else {
    for (const name of ['watch', 'out', 'check', 'digest'] as const) {
      if (settings[name]) throw fail(name, 'is for a report, and --letters writes none; leave one of them out');
    }
    if (settings.code.length > 0) throw fail('code', 'is for a report, and --letters writes none; leave one of them out');
  }
  if (settings.code.length > 0 && settings.workspace.length + settings.owner.length > 0) {
    throw fail('code', 'is about everybody who calls, and excludes --workspace and --owner; leave one of them out');
  }
  checkDigest(settings, fail, sourceOf);
  if (!settings.watch) return;
  if (settings.digest) throw fail('watch', 'excludes --digest, which is told once; leave one of them out');
  if (settings.check) throw fail('watch', 'excludes --check, which ends with a verdict; leave one of them out');
  if (settings.out !== undefined) throw fail('watch', 'excludes --out, as it shows the report in the terminal; leave one of them out');
  if (settings.format !== 'table') {
    throw fail('watch', 'goes with --format table alone, as it shows the report in the terminal; leave one of them out');
  }
}

type Fail = (name: string, problem: string, key?: string) => ConfigError;

/** The digest has forms and times of its own, and the webhook it is sent to is a secret: no message shows it. */
function checkDigest(settings: Settings<'report'>, fail: Fail, sourceOf: (name: string) => string | undefined): void {
  const { digest, format, post, postAs, postIf } = settings;
  if (!digest) {
    if (post !== undefined) throw fail('post', 'is for the digest; give --digest as well');
    if (postAs !== undefined) throw fail('postAs', 'is for the digest; give --digest and --post as well', '--post-as');
    if (postIf !== 'always') throw fail('postIf', 'is for the digest; give --digest and --post as well', '--post-if');
    return;
  }
  if (sourceOf('format') !== undefined && format !== 'markdown' && format !== 'json') {
    throw fail('format', 'has no digest; it is markdown or json');
  }
  if (settings.groupBy !== 'workspace') throw fail('groupBy', 'is not for the digest; leave it out', '--group-by');
  if (settings.code.length > 0) throw fail('code', 'is not for the digest; leave it out');
  // Of the configuration it is that of other reports.
  if (sourceOf('since') === commandLine) throw fail('since', 'is not for the digest, which tells of a week; leave it out');
  if (post === undefined && postAs !== undefined) throw fail('postAs', 'says what --post sends; give that as well', '--post-as');
  if (post === undefined && postIf !== 'always') throw fail('postIf', 'says when --post sends; give that as well', '--post-if');
  const url = post === undefined ? undefined : readHttpUrl(post);
  if (post !== undefined && url === undefined) throw fail('post', 'is not an http(s) URL');
  if (url !== undefined && (url.username !== '' || url.password !== '')) throw fail('post', 'must not hold a user name or password');
}
