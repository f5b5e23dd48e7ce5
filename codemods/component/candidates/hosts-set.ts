/** Variables of the environment that files set to a host alone: `API_HOST=api.example.org`. */
import type { VariableUse } from '../../uses-between-components.ts';
import { flat } from '../../evaluate/values/text.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Reading } from '../../formats/reading.ts';
import { isOfTrial } from '../../find/packages/production-files.ts';
import { isLocal, isOfOwnNetwork } from '../../verdict/bases/hosts.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { WrittenSite } from '../written-sites.ts';

export interface HostUse extends VariableUse {
  readonly host: string;
}

const form = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z-]+(?::\d+)?$/i;

/** @returns the places that set a variable to another host than ours, which the user has not named */
export function hostsIn({ settings }: Reading, source: SourceText, bases: Bases): HostUse[] {
  const ours = new Set(bases.v1.flatMap((base) => [new URL(base).host, new URL(base).hostname]));
  return settings.flatMap(({ name, requests }) =>
    requests.flatMap(({ url = [], call: { start, end } }) => {
      const host = flat(url).toLowerCase();
      if (name === undefined || bases.env.has(name) || !form.test(host) || ours.has(host) || isLocal(host)) return [];
      return {
        file: source.file,
        start,
        end,
        ...source.position(start),
        name,
        host,
        base: `https://${host}`,
        group: undefined,
        needsValue: false,
      };
    }),
  );
}

/** Whether it is set to another service: a name of a network of its own is a server in the place of ours only for tests and developers. */
export const isElsewhere = ({ site: { verdict, request } }: WrittenSite): boolean =>
  verdict.kind === 'foreign' && (!isLocal(verdict.host) || (isOfOwnNetwork(verdict.host) && !isOfTrial(request.module.file)));
