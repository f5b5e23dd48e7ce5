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
}

export function environmentOf(sites: readonly Site[], isMade: (change: Change) => boolean): EnvironmentUse[] {
  const uses = new Map<string, EnvironmentUse>();
  for (const { request, verdict, changes, variable } of sites) {
    if (verdict.kind !== 'ours') continue;
    const own = envOf(request.url?.[0]);
    const used = own === undefined ? variable : { value: own, holdsVersion: verdict.version === undefined };
    if (used === undefined) continue;
    const { name, node, module } = used.value;
    const { line, column } = module.position(node.start);
    const key = `${name} ${module.file} ${node.start} ${used.holdsVersion}`;
    const isMoved = changes.every(isMade) && (uses.get(key)?.isMoved ?? true);
    uses.set(key, { name, file: module.file, start: node.start, end: node.end, line, column, holdsVersion: used.holdsVersion, isMoved });
  }
  return [...uses.values()];
}

export const envOf = (part: Part | undefined): EnvValue | undefined =>
  part !== undefined && 'hole' in part && part.hole.type === 'env' ? part.hole : undefined;
