/** What is done with an edited value beside what becomes of it, and comes out otherwise. */
import type { EscapeWay } from '../../model.ts';
import { mayHave, versionTakenOff } from '../../verdict/changes/replaced-versions.ts';
import { optionsOf, type TextValue } from '../../evaluate/values/values.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import type { DataflowQuery } from './dataflow-query.ts';
import { isFoldedAway } from './functions/folded.ts';
import { isMemberBound } from './holders/handed-by-templates.ts';
import { type Carried, isAskedAmong } from './harmless-uses.ts';
import { isRestPrinted } from './harmless-calls.ts';
import { isAskedByPackage } from './holders/inherited-fields.ts';
import { isKeyOfOthers } from './holders/keyed-by-version.ts';
import { isOwnKey } from './holders/own-keys.ts';
import { isGivenByContext } from './uses.ts';
import { isVersionElsewhere } from './addresses/versions-elsewhere.ts';

export const waysAside = (query: DataflowQuery, at: Carried): EscapeWay[] => [
  ...(isFoldedAway(query, at) || isMemberBound(query.ev, at) || isAskedByPackage(query.ev, at) ? ['given' as const] : []),
  ...(leavesVersion(query, at) ? ['read' as const] : []),
  ...(isVersionElsewhere(query, at) ? ['used' as const] : []),
  ...(isLostInSteps(query, at) || isKeyOfOthers(query, at) ? ['given' as const] : []),
];

/** What is done with it in a way that is not followed, and leads nowhere. */
export const isHarmlessUse = (query: DataflowQuery, at: Carried): boolean =>
  (isGivenByContext(at.node) && query.hasClientsOnly(at)) ||
  (at.node.parent?.kind === 'variable' && isRestPrinted(query.ev, at.node.parent.target, at.module)) ||
  isOwnKey(at.node, at.module) ||
  isAskedAmong(query, at);

/** Whether something looks in it for the version of v1, and stays: that is found no more, and is left in what is asked for. */
function leavesVersion(query: DataflowQuery, { node, module, carried }: Carried): boolean {
  const call = node.parent?.kind === 'member' && node.parent.object === node ? node.parent.parent : undefined;
  const pattern = call?.kind === 'call' && call.callee === node.parent ? versionTakenOff(call, module) : undefined;
  const changes = carried.filter(({ what }) => what === 'path');
  if (pattern === undefined || changes.length === 0 || query.carried({ node: pattern, module }).length > 0) return false;
  // What callers give is asked for on the call paths from these.
  const options = query
    .values({ node, module })
    .flatMap(optionsOf)
    .filter(({ type }) => type !== 'param');
  return options.some((option) => mayHave(option, pattern) && (option.type !== 'text' || changes.some((change) => isIn(option, change))));
}

/** Whether a text has what a change is of. */
const isIn = ({ parts }: TextValue, change: Change): boolean =>
  parts.some(
    (part) =>
      'text' in part &&
      part.source?.module === change.module &&
      part.source.start <= change.start &&
      change.end <= part.source.start + part.text.length,
  );

/** `settings.pipe(Effect.flatMap(ask))`: a setting that goes through what nobody follows. */
function isLostInSteps(query: DataflowQuery, at: Carried): boolean {
  const member = at.node.parent;
  const call = member?.kind === 'member' && member.object === at.node && member.property === 'pipe' ? member.parent : undefined;
  if (call?.kind !== 'call' || call.callee !== member) return false;
  const isSetting = query.values(at).every(({ type }) => type === 'text' || type === 'env' || type === 'object');
  return isSetting && query.carried({ node: call, module: at.module }).length === 0;
}
