/**
 * Guards by whether the key is among headers that a caller gives: `if (!init.headers['x-api-key']) throw …`. They move with these headers, where all that the
 * guard may get have it by a name that moves, or certainly lack it.
 */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { leavesOf } from '../../../evaluate/values/leaves.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import { isSmallIn } from '../../../evaluate/values/small-letters.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import type { Callers } from '../../../requests/recursion.ts';
import { isAuthorization, isKeyHeader, v2Auth } from '../../../../src/contract/auth.ts';
import { type ChangesByPlace, changesByPlace } from '../../../verdict/changes/changes-by-place.ts';
import { keyOf } from '../../../verdict/changes/groups.ts';
import { type Mention, mentionsIn, receiverOf } from '../../../verdict/key-mentions.ts';
import { isPresenceTest } from '../../../verdict/changes/presence-tests.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import { valuesAt } from '../../flow/functions/passed-values.ts';

/** @returns the sites, with the guards that move among what they change */
export function withPresenceGuards(ev: Evaluation, callers: Callers, sites: readonly RequestSite[]): readonly RequestSite[] {
  const names = changesByPlace(sites.flatMap(({ changes }) => changes.filter(({ what }) => what === 'header name')));
  if (names.all.length === 0) return sites;
  const added = new Map<string, Change[]>();
  for (const module of ev.world.modules.values())
    for (const mention of isScript(module) ? mentionsIn(module) : []) {
      if (!isPresenceTest(mention.node)) continue;
      const { start, end } = mention;
      const change: Change = { module, start: start + 1, end: end - 1, text: v2Auth.fieldName, what: 'header name' };
      for (const name of namesGiven(ev, callers, mention, module, names) ?? [])
        added.set(keyOf(name), [...(added.get(keyOf(name)) ?? []), change]);
    }
  if (added.size === 0) return sites;
  return sites.map((site) => {
    const more = new Set(site.changes.flatMap((change) => added.get(keyOf(change)) ?? []));
    return more.size === 0 ? site : { ...site, changes: [...site.changes, ...more] };
  });
}

/** The names of the key in all headers that are asked; undefined where one of them stays, or is not known. */
function namesGiven(
  ev: Evaluation,
  callers: Callers,
  { node }: Mention,
  module: SourceModule,
  names: ChangesByPlace,
): readonly Change[] | undefined {
  const receiver = receiverOf(node);
  if (receiver === undefined) return undefined;
  const { value: values, isCut } = ev.budget.question({ node: receiver, module }, () => valuesAt(ev, callers, { node: receiver, module }));
  // Objects tell names by their letters; `Headers` do not, and hand them out in small ones: `Object.fromEntries(headers)`.
  const asked = node.kind === 'string' && node.parent?.kind !== 'call' ? node.value : undefined;
  if (asked !== undefined && leavesOf({ node: receiver, module, path: [] }, ev).some((leaf) => isSmallIn(leaf, ev))) return undefined;
  // What a parameter is, its callers say.
  const given = values.filter(({ type }) => type !== 'param').map((value) => namesIn(value, asked, names));
  return isCut || given.includes(undefined) ? undefined : given.flatMap((each) => each ?? []);
}

/** @param asked by which letters alone */
function namesIn(value: Value, asked: string | undefined, names: ChangesByPlace): readonly Change[] | undefined {
  if (value.type !== 'object' || value.unknown.length > 0) return undefined;
  const found = value.entries.map(({ name, key }): readonly Change[] | undefined => {
    if (name === undefined || isAuthorization(name)) return undefined;
    if (!isKeyHeader(name)) return [];
    if (asked !== undefined && asked !== name) return undefined;
    const source = key?.source;
    const moving = source === undefined ? [] : names.at(source.module, source.start, source.start + (key?.text.length ?? 0));
    return moving.length === 0 ? undefined : moving;
  });
  return found.includes(undefined) ? undefined : found.flatMap((each) => each ?? []);
}
