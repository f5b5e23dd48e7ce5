/** Variables of a version in data that says nothing else of our service. */
import type { VariableUse } from '../../uses-between-components.ts';
import { flat } from '../../evaluate/values/text.ts';
import type { ReadFile } from '../../formats/reader.ts';
import type { Reading } from '../../formats/reading.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { isHostOfOurs } from '../../verdict/bases/composed-of-variables.ts';
import type { WrittenSite } from '../written-sites.ts';

/** Data may be of any program's, and others have a version, too: there its variable stands beside something of ours, or a person decides. */
export function withoutDoubtful(
  written: readonly WrittenSite[],
  { settings }: Reading,
  kind: ReadFile['kind'],
  bases: Bases,
): [WrittenSite[], VariableUse[]] {
  const { env, versions = new Set() } = bases;
  const isVersion = ({ setting }: Pick<WrittenSite, 'setting'>): boolean => versions.has(setting?.name ?? '');
  const isNear =
    settings.some((setting) => !isVersion({ setting }) && env.has(setting.name ?? '')) ||
    settings.some(({ requests }) => requests.some(({ url = [] }) => isHostOfOurs(flat(url), bases))) ||
    written.some((each) => !isVersion(each) && isOurs(each));
  const isDoubtful = (each: WrittenSite): boolean =>
    !isNear && isOfAnybody.has(kind) && !manifest.test(each.site.request.module.file) && isVersion(each);
  const doubtful = written.filter(isDoubtful).map(
    ({
      site: {
        request: { call, module },
      },
      setting,
    }) => {
      const { start, end } = call;
      return {
        file: module.file,
        start,
        end,
        ...module.position(start),
        name: setting?.name ?? '',
        group: undefined,
        needsValue: true,
        version: /\/v1/.test(module.text.slice(start, end)) ? '/v2' : 'v2',
      };
    },
  );
  return [written.filter((each) => !isDoubtful(each)), doubtful];
}

const isOurs = ({ site: { verdict } }: WrittenSite): boolean => verdict.kind === 'ours' || verdict.kind === 'v2';
const manifest = /(?:^|\/)package\.json$/;
const isOfAnybody: ReadonlySet<ReadFile['kind']> = new Set(['json', 'yaml', 'toml']);
