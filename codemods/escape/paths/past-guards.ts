/** Requests that would no longer come past a guard, `if (!req.url.startsWith(BASE)) return next(req);`, as its text moves and they stay. */
import { isScript } from '../../evaluate/module.ts';
import { flat } from '../../evaluate/values/text.ts';
import type { Part } from '../../evaluate/values/values.ts';
import { keyOf } from '../../verdict/changes/groups.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { type RequestSite, touchedBy } from '../../verdict/request-sites.ts';
import type { Node } from '../../syntax/tree.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import type { Escape } from '../escapes.ts';

/**
 * @param all with the requests of functions that nobody is seen to call: a page may, and they have their key from the guard, too
 * @param asking without these
 */
export function leftByGuards(all: readonly RequestSite[], asking: readonly RequestSite[], changes: ChangesByPlace): Escape[] {
  const guards = guardsIn(all);
  if (guards.length === 0) return [];
  const byClient = Map.groupBy(guards, ({ client }) => client);
  const seen = new Set(asking);
  const given = new Set(guards.flatMap(({ keys }) => keys));
  // What has a key of its own, or shares something with what moves, is judged by that.
  const mayStay = (site: RequestSite): boolean => isOurs(site) && site.keys.every(({ node }) => !seen.has(site) && given.has(node));
  return all.flatMap((site) => {
    const { url = [], call, module, client, isMock } = site.request;
    if (isMock || !isScript(module) || !mayStay(site)) return [];
    const own = new Set([...site.changes, ...(seen.has(site) ? touchedBy(site, changes) : [])].map(keyOf));
    return (byClient.get(client) ?? []).flatMap((guard): Escape[] =>
      flat(url).startsWith(guard.text) && !own.has(keyOf(guard.change)) && !isIn(url, guard.change)
        ? [{ change: guard.change, node: call, module, name: '', way: 'guarded' }]
        : [],
    );
  });
}

interface MovedGuard {
  readonly client: string;
  readonly text: string;
  readonly change: Change;
  readonly keys: readonly Node[];
}

/** What the addresses of requests have to begin with, where that names the version and moves with them. */
function guardsIn(sites: readonly RequestSite[]): MovedGuard[] {
  const guards = new Map<string, MovedGuard>();
  for (const { request, changes, verdict, keys } of sites) {
    // What leads a proxy is no guard.
    if (verdict.kind !== 'ours' || request.isMock || (request.through ?? []).length > 0) continue;
    const { client, prefixes } = request;
    for (const prefix of prefixes) {
      const text = flat(prefix);
      const change = /\/v1(?:\/|$)/.test(text) ? changes.find((each) => isIn(prefix, each)) : undefined;
      if (change !== undefined)
        guards.set(`${client} ${keyOf(change)} ${text}`, { client, text, change, keys: keys.map(({ node }) => node) });
    }
  }
  return [...guards.values()];
}

const isOurs = ({ verdict: { kind } }: RequestSite): boolean => kind === 'ours' || kind === 'unknown-route' || kind === 'dynamic-path';

const isIn = (parts: readonly Part[], { module, start, end }: Change): boolean =>
  parts.some(
    (part) => 'text' in part && part.source?.module === module && part.source.start <= start && end <= part.source.start + part.text.length,
  );
