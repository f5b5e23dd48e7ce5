/**
 * The version that a program takes off its own base: `BASE.replace('/v1', '')`. It moves with the base, as it would be found there no more, and what is put
 * behind it would be asked below v2.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, StringNode } from '../../syntax/tree.ts';
import { changesByPlace } from './changes-by-place.ts';
import { keyOf } from './groups.ts';
import type { RequestSite } from '../request-sites.ts';
import type { Change } from './spans.ts';

export function withReplacedVersions(ev: Evaluation, sites: readonly RequestSite[]): readonly RequestSite[] {
  const calls = [...ev.world.modules.values()].flatMap((module) =>
    module.calls.flatMap((call) => {
      const pattern = versionTakenOff(call, module);
      return pattern === undefined ? [] : versionsIn(pattern, module.text).map((start) => ({ call, start, module }));
    }),
  );
  if (calls.length === 0) return sites;
  const owners = new Map<string, RequestSite>();
  for (const site of sites) if (!site.request.isMock) for (const change of site.changes) owners.set(keyOf(change), site);
  const moving = changesByPlace(sites.flatMap((site) => (site.request.isMock ? [] : site.changes)));
  const more = new Map<RequestSite, Change[]>();
  for (const { call, start, module } of calls) {
    const moved =
      call.callee.kind === 'member' ? movedIn(ev.evaluate(call.callee.object, { module, frame: undefined }), moving.at) : undefined;
    const owner = moved && owners.get(keyOf(moved));
    if (owner !== undefined) more.set(owner, [...(more.get(owner) ?? []), { start, end: start + 2, module, text: 'v2', what: 'path' }]);
  }
  return sites.map((site) => {
    const added = more.get(site);
    return added === undefined ? site : { ...site, changes: [...site.changes, ...added] };
  });
}

/** The text that is looked for with the version of v1, if nothing of either version is put in its place. */
export function versionTakenOff({ callee, args: [pattern, by] }: CallNode, { text }: SourceText): StringNode | undefined {
  if (callee.kind !== 'member' || !/^replace(?:All)?$/.test(callee.property ?? '')) return undefined;
  if (pattern?.kind !== 'string' || by?.kind !== 'string' || /\bv\d/.test(by.value)) return undefined;
  return versionsIn(pattern, text).length === 1 ? pattern : undefined;
}

const versionsIn = ({ start, end }: StringNode, text: string): number[] =>
  Array.from(text.slice(start, end).matchAll(/(?<=\/)v1(?!\w)/g), ({ index }) => start + index);

/** The change of the version in a text that is nobody else's; what is not known of it is what stands in the place of that text. */
function movedIn(value: Value, at: (module: Change['module'], start: number, end: number) => readonly Change[]): Change | undefined {
  let found: Change | undefined;
  for (const option of optionsOf(value)) {
    if (option.type === 'env') continue;
    if (option.type !== 'text') return undefined;
    const [change] = option.parts.flatMap((part) =>
      'text' in part && part.source !== undefined ? at(part.source.module, part.source.start, part.source.start + part.text.length) : [],
    );
    if (change === undefined) return undefined;
    found = change;
  }
  return found;
}
