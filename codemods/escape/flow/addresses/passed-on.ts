/** Paths of the program's own server that a proxy passes on to the service: whoever asks there asks the service, in a way that is followed or not. */
import { flat, unknownPart } from '../../../evaluate/values/text.ts';
import { type Bases, matchRoute } from '../../../verdict/bases/routes.ts';
import { isMount } from '../../../verdict/bases/mounts.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import { prefixVerdict } from '../../../verdict/verdicts.ts';

/** Tells whether a text is such a path: `/api/v1/contacts` where what is below `/api` goes to `https://api.example.com`. */
export function passedOn(sites: readonly RequestSite[], bases: Bases): (text: string) => boolean {
  const mounts = sites.flatMap(({ request }) => {
    if (!isMount(request) || !leadsToUs.has(prefixVerdict(request.url, bases).kind)) return [];
    const path = flat(request.mount.path);
    // A path that begins with the version is one of any service.
    if (/^\/(?:v1(?:\/|$)|$)/.test(path)) return [];
    return [{ path: path.replace(/\/$/, ''), arrivesAt: pathOf(flat(request.url)), isCut: request.mount.isCut }];
  });
  return (text) =>
    mounts.some(({ path, arrivesAt, isCut }) => {
      if (!text.startsWith(`${path}/`)) return false;
      const route = isCut ? arrivesAt.replace(/\/$/, '') + text.slice(path.length) : text;
      return matchRoute(route, undefined, { placeholder: new RegExp(unknownPart) }).length > 0;
    });
}

const leadsToUs: ReadonlySet<string> = new Set(['ours', 'passes-on']);

const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]*/, '');
