/**
 * Answers that a library keeps under segments of what they were asked for by, `['v1', 'messages']`, named again by what does not move with these: the beginning of such
 * a key, or a function that looks at each, `({ queryKey }) => queryKey[0] === 'v1'`. They would name nothing any more, without a word.
 */
import type { World } from '../../evaluate/program.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { unknownPart } from '../../evaluate/values/text.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { ArrayNode, Node, StringNode } from '../../syntax/tree.ts';
import type { AskedSegments } from '../../verdict/query-keys.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import type { Escape } from '../escapes.ts';

/** What names answers of TanStack Query and SWR. */
const naming =
  /^(?:(?:invalidate|refetch|reset|cancel|remove)Queries|(?:set|get)Quer(?:y|ies)(?:Data|State|Defaults)|(?:use)?[iI]sFetching|mutate)$/;
const version = /^v1(?:\/|$)/;

export function namesOfAnswers({ modules }: World, asked: readonly AskedSegments[], changes: ChangesByPlace): Escape[] {
  const moved = asked.flatMap(({ segments, places }) =>
    places.flatMap(({ module, start, end }) => {
      const [change] = changes.at(module, start, end);
      return change === undefined ? [] : [{ segments, change }];
    }),
  );
  if (moved.length === 0) return [];
  return [...modules.values()].flatMap((module) =>
    nodesOfKind(module.tree.program, 'string').flatMap((node): Escape[] => {
      if (!version.test(node.value) || changes.at(module, node.start, node.end).length > 0 || !speaksOfAnswers(node, module)) return [];
      const { parent } = node;
      const found = moved.filter(({ segments }) => parent?.kind !== 'array' || mayName(parent, segments));
      return found.map(({ change }) => ({ change, node, module, name: node.value, way: 'compared' }));
    }),
  );
}

/** Whether a text stands in what names answers, or beside a key that is asked about. */
function speaksOfAnswers(node: StringNode, { text }: SourceModule): boolean {
  const beside = node.parent;
  if (beside !== undefined && /\bqueryKey\b/.test(text.slice(beside.start, beside.end))) return true;
  for (let at: Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (at.kind !== 'call') continue;
    const { callee } = at;
    if (naming.test((callee.kind === 'member' ? callee.property : callee.kind === 'name' ? callee.name : undefined) ?? '')) return true;
  }
  return false;
}

/** Whether a key, or the beginning of one, may be that of an answer: of what is not written there nobody knows. */
function mayName({ elements }: ArrayNode, segments: readonly string[]): boolean {
  const written = elements.flatMap((each) => (each?.kind === 'string' ? each.value.split('/') : unknownPart));
  return segments.every((segment, index) => [segment, unknownPart, undefined].includes(written[index]) || segment.includes(unknownPart));
}
