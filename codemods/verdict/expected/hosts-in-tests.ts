/**
 * Hosts that tests put in the place of ours: `vi.mock('./env', () => ({ API_URL: 'https://test.example.io/v1' }))`. Nobody is asked there where the name says so,
 * or where the test has something in the place of the network and nothing but tests names the host.
 */
import { replacesNetwork } from '../../clients/testing/libraries.ts';
import { runsTests } from '../../clients/testing/declared-tests.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { memo } from '../../once.ts';
import { isMadeUp } from '../bases/hosts.ts';
import type { Bases } from '../bases/routes.ts';
import type { RequestSite } from '../request-sites.ts';
import { isEcho } from './echoes.ts';
import { mockedAs } from './mock-patterns.ts';
import { originOf } from './named-services.ts';
import type { Reach } from './reached.ts';
import { sharedHosts } from './shared-hosts.ts';

export interface HostsInTests {
  /** Whether a test that puts a host in the place of another asks nobody there. */
  isAnswered(host: string, module: SourceText): boolean;
  /** Whether a test that has requests of ours go to a host has others ask there, too. */
  isShared(host: string, module: SourceText): boolean;
  /** Whether no program names a host. */
  isOfTestsAlone(host: string): boolean;
  /** Whether tests write an origin in more than one place: so it may be what one of them has the program ask. */
  isRepeated(origin: string): boolean;
}

/** @param sites with what tests expect, and of whom they answer */
export function hostsInTests(
  ev: Evaluation,
  sites: readonly RequestSite[],
  { v1, v2 }: Bases,
  reach: Pick<Reach, 'isOfTests' | 'byFile' | 'byImports' | 'packagesBy'>,
): HostsInTests {
  const { isOfTests } = reach;
  const texts = [...ev.world.modules.values()];
  const isShared = sharedHosts(ev, sites, reach);
  const isOurs = (host: string): boolean => [...v1, v2 ?? []].flat().some((base) => new URL(base).host === host);
  const isOfTestsAlone = memo(
    (host: string) => !isOurs(host) && !texts.some((module) => !isOfTests(module) && module.text.toLowerCase().includes(`//${host}`)),
  );
  const expected = Map.groupBy(
    sites.filter((site) => site.request.isMock && mockedAs(site.request) === undefined && !isEcho(site)),
    (site) => originOf(site)?.replace(/^https?:\/\//, ''),
  );
  const isExpectedIn = (host: string, module: SourceText): boolean => {
    const places = expected.get(host) ?? [];
    // What sets up a runner does so for tests that stand elsewhere.
    return places.some(({ request }) => request.module === module) || (places.length > 0 && !runsTests(module.text));
  };
  return {
    isAnswered: (host, module) => {
      const name = host.toLowerCase();
      if (isShared(name, module)) return false;
      if (isMadeUp(host, v1)) return true;
      return isOfTests(module) && isOfTestsAlone(name) && (replacesNetwork(module.text) || isExpectedIn(name, module));
    },
    isShared,
    isOfTestsAlone: (host) => isOfTestsAlone(host.toLowerCase()),
    isRepeated: memo(
      (origin: string) =>
        texts.reduce((count, module) => (isOfTests(module) ? count + module.text.split(origin).length - 1 : count), 0) > 1,
    ),
  };
}
