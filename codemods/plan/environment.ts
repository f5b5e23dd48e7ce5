/** Where code takes our base from the environment: files that set the variable have to change with it. */
import type { EnvValue, Part } from '../identify/values.ts';
import type { Span } from '../model.ts';
import type { Site } from './sites.ts';
import type { Change } from './spans.ts';

export interface EnvironmentUse extends Span {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  /** Whether its value ends in the version. */
  readonly holdsVersion: boolean;
  /** Whether the calls that depend on it are moved. */
  readonly isMoved: boolean;
  /** Whether the calls are proven to be ours; of others it is only known that they stay as they are. */
  readonly isOurs: boolean;
}

export function environmentOf(sites: readonly Site[], isMade: (change: Change) => boolean): EnvironmentUse[] {
  const uses = new Map<string, EnvironmentUse>();
  for (const { request, verdict, changes, variable } of sites) {
    const own = envOf(request.url?.[0]);
    const isOurs = verdict.kind === 'ours';
    if (!isOurs && (verdict.kind !== 'unproven' || verdict.route === undefined)) continue;
    const used = own === undefined ? variable : { value: own, holdsVersion: isOurs && verdict.version === undefined };
    if (used === undefined) continue;
    const { name, node, module } = used.value;
    const { line, column } = module.position(node.start);
    const key = `${name} ${module.file} ${node.start} ${used.holdsVersion}`;
    const isMoved = isOurs && changes.every(isMade) && (uses.get(key)?.isMoved ?? true);
    uses.set(key, {
      name,
      file: module.file,
      start: node.start,
      end: node.end,
      line,
      column,
      holdsVersion: used.holdsVersion,
      isMoved,
      isOurs,
    });
  }
  return [...uses.values()];
}

export const envOf = (part: Part | undefined): EnvValue | undefined =>
  part !== undefined && 'hole' in part && part.hole.type === 'env' ? part.hole : undefined;
