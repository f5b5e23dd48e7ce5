/**
 * Functions that were made with the header's name and the key, `withKey('x-api-key', key)`: whoever calls one puts the key into headers. Where they are called, or
 * handed to a function that was read, that is followed; out of an object, in a list, or in code that was not read, others may have them.
 */
import type { Place } from '../../../evaluate/budget.ts';
import { isScript } from '../../../evaluate/module.ts';
import type { CallNode, Node } from '../../../syntax/tree.ts';
import type { ChangesByPlace } from '../../../verdict/changes/changes-by-place.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import { calledBy } from '../../flow/functions/arguments.ts';
import type { DataflowQuery } from '../../flow/dataflow-query.ts';
import type { Readers } from '../../flow/readers.ts';

/** By how many names one is followed. */
const maxNames = 4;

/** @returns where one of them gets out of sight */
export function functionsWithKeys(
  query: DataflowQuery,
  readers: Readers,
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
): (Place & { readonly change: Change })[] {
  const made = new Set<Node>();
  return sites
    .flatMap(({ keys }) => keys)
    .flatMap(({ put, node, module }) => {
      if (put === undefined || node.kind !== 'call' || !isScript(module) || made.size === made.add(node).size) return [];
      const [change] = changes.at(module, node.start, node.end);
      const isMade = query.values({ node, module }).some(({ type }) => type === 'function');
      return change === undefined || !isMade ? [] : lostIn(query, readers, { node, module }).map((place) => ({ ...place, change }));
    });
}

function lostIn(query: DataflowQuery, readers: Readers, place: Place, depth = 0): readonly Place[] {
  const { node, module } = place;
  const { parent } = node;
  switch (parent?.kind) {
    case 'call':
      return parent.callee === node || isRead(query, parent, place) ? [] : [place];
    case 'property': {
      const object = parent.parent;
      return object !== undefined && object.parent?.kind !== 'variable' ? lostIn(query, readers, { node: object, module }, depth) : [place];
    }
    case 'variable': {
      const binding =
        parent.declares === 'const' && parent.target.kind === 'patternName' ? module.scopes.declaredBy(parent.target) : undefined;
      if (binding === undefined || depth === maxNames) return [place];
      return readers.of(binding, module).flatMap((each) => lostIn(query, readers, each, depth + 1));
    }
    default:
      return [place];
  }
}

/** Whether all that may be called there is the project's own. */
const isRead = (query: DataflowQuery, call: CallNode, { module }: Place): boolean =>
  query.values({ node: calledBy(call), module }).every(({ type }) => type === 'function' || type === 'class');
