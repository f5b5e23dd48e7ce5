/**
 * The version that a program takes off its own base, `BASE.replace('/v1', '')`, and the base that it puts another in the place of,
 * `url.replace('https://api.example.com/v1', process.env.BASE)`. They move with the address, as they would be found there no more: what is put behind the
 * one would be asked below v2, and a stage that the other names would be passed over.
 */
import { forAllCallers } from '../../evaluate/calls/all-callers.ts';
import type { Frame } from '../../evaluate/calls/frame.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { flat } from '../../evaluate/values/text.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Node, StringNode } from '../../syntax/tree.ts';
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
  const asking = sites.filter(({ request }) => !request.isMock);
  const owners = Map.groupBy(
    asking.flatMap((site) => site.changes.map((change) => ({ site, key: keyOf(change) }))),
    ({ key }) => key,
  );
  const moving = changesByPlace(asking.flatMap(({ changes }) => changes));
  const more = new Map<RequestSite, Change[]>();
  for (const { call, start, module } of calls) {
    const { callee, args } = call;
    if (callee.kind !== 'member') continue;
    const find = (frame: Frame | undefined): Value => ev.evaluate(callee.object, { module, frame });
    const within = isBase(args[0]) ? forAllCallers(ev, undefined, find) : find(undefined);
    const moved = movedIn(
      optionsOf(within).filter((option) => mayHave(option, args[0])),
      moving.at,
    );
    const change: Change = { start, end: start + 2, module, text: 'v2', what: 'path' };
    // With all of these, or with none.
    const theirs = new Set(moved.flatMap((each) => owners.get(keyOf(each)) ?? []).map(({ site }) => site));
    for (const site of theirs) more.set(site, [...(more.get(site) ?? []), change]);
  }
  return sites.map((site) => {
    const added = more.get(site);
    return added === undefined ? site : { ...site, changes: [...site.changes, ...added] };
  });
}

/** The text that is looked for with the version of v1, if nothing of either version is put in its place, or it is a base, which whatever is put there stands for. */
export function versionTakenOff({ callee, args: [pattern, by] }: CallNode, { text }: SourceText): StringNode | undefined {
  if (callee.kind !== 'member' || !/^replace(?:All)?$/.test(callee.property ?? '')) return undefined;
  if (pattern?.kind !== 'string' || by === undefined) return undefined;
  if (!isBase(pattern) && (by.kind !== 'string' || /\bv\d/.test(by.value))) return undefined;
  return versionsIn(pattern, text).length === 1 ? pattern : undefined;
}

const isBase = (pattern: Node | undefined): pattern is StringNode =>
  pattern?.kind === 'string' && /^https?:\/\/[^/]+(?:\/.*)?\/v1\/?$/.test(pattern.value);

/** Whether a base may be found in an address: another's hardly is. */
export const mayHave = (option: Value, pattern: Node | undefined): boolean =>
  !isBase(pattern) || option.type !== 'text' || flat(option.parts).includes(pattern.value);

const versionsIn = ({ start, end }: StringNode, text: string): number[] =>
  Array.from(text.slice(start, end).matchAll(/(?<=\/)v1(?!\w)/g), ({ index }) => start + index);

/** The changes of the version in texts that are nobody else's; what is not known of them is what stands in the place of these texts. */
function movedIn(
  options: readonly Value[],
  at: (module: Change['module'], start: number, end: number) => readonly Change[],
): readonly Change[] {
  const found: Change[] = [];
  for (const option of options) {
    if (option.type === 'env') continue;
    if (option.type !== 'text') return [];
    const [change] = option.parts.flatMap((part) =>
      'text' in part && part.source !== undefined ? at(part.source.module, part.source.start, part.source.start + part.text.length) : [],
    );
    if (change === undefined) return [];
    found.push(change);
  }
  return found;
}
