/** The text of a version that is put into other addresses than those of v1 as well: of another host, or of the own server. */
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { flat, unknownPart } from '../../../evaluate/values/text.ts';
import { optionsOf, type Part, partsOf } from '../../../evaluate/values/values.ts';
import { routeHeads } from '../../../verdict/bases/routes.ts';
import type { Node } from '../../../syntax/tree.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import type { DataflowQuery } from '../dataflow-query.ts';
import type { Carried } from '../harmless-uses.ts';

/** Whether what is put together of it is no address of ours. */
export function isVersionElsewhere(query: DataflowQuery, { node, module, carried }: Carried): boolean {
  const isNamed = node.kind === 'name' || node.kind === 'member';
  const versions = isNamed && !isTest(module) ? carried.filter(isVersionAlone) : [];
  if (versions.length === 0) return false;
  const texts = textsAround(node);
  const whole = texts.at(-1);
  if (whole === undefined || [node, ...texts].some((each) => query.isOnWay(each))) return false;
  return query
    .values({ node: whole, module })
    .flatMap(optionsOf)
    .some((each) => each.type === 'text' && versions.some((version) => isOfOthers(query, partsOf(each), version)));
}

/** What is put together of it, from the inside. */
const textsAround = ({ parent }: Node): Node[] =>
  parent?.kind === 'template' || parent?.kind === 'concat' ? [parent, ...textsAround(parent)] : [];

/** `'v1'`, `'/v1'`: it stands in no address of its own. */
const isVersionAlone = ({ what, module: { text }, start, end }: Change): boolean =>
  what === 'path' && /['"`]\/?$/.test(text.slice(start - 2, start)) && /^\/?['"`]/.test(text.slice(end, end + 2));

function isOfOthers(query: DataflowQuery, parts: readonly Part[], { module, start, end }: Change): boolean {
  const index = parts.findIndex(
    (part) => 'text' in part && part.source?.module === module && part.source.start <= start && end <= part.source.start + part.text.length,
  );
  if (index === -1) return false;
  const before = flat(parts.slice(0, index));
  const [, behind = ''] = /^.*?v1(.*)$/s.exec(flat(parts.slice(index))) ?? [];
  if (before.includes(unknownPart)) return false;
  if (before.includes('://')) return query.isElsewhere(parts);
  // What is said in words, or names something by more than a path, reads no worse.
  return before.startsWith('/') && !/\s/.test(flat(parts)) && (before !== '/' || !mayBeRoute(behind));
}

/** As far as it is known. */
const mayBeRoute = (behind: string): boolean => {
  const [known = ''] = behind.split(unknownPart, 1);
  const isOpen = known.length < behind.length || /^\/?$/.test(known);
  return routeHeads.some((head) => {
    const own = head.slice('/v1'.length);
    return known.startsWith(own) ? /^(?:[/?#]|$)/.test(known.slice(own.length)) : isOpen && own.startsWith(known);
  });
};
