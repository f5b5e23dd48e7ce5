/** Calls that come through a server in front of the program, which others may ask, too, or by a proxy of development that has its own path for them. */
import type { Request } from '../../requests/requests.ts';
import { isInFront, movedAlone } from '../../verdict/bases/mounts.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/changes/spans.ts';

/** Where a server in front has one half of what moves, and the call the other: who else asks there, and gives the same half, is not seen. */
export function halfInFront({ request, changes, verdict }: RequestSite): readonly Request[] {
  const { through = [] } = request;
  const alone = verdict.kind === 'ours' && verdict.version !== undefined ? movedAlone(request, verdict.version) : [];
  if (alone.length > 0) return alone.slice(0, 1);
  const inFront = through.filter(isInFront);
  const isThere = (change: Change): boolean => inFront.some(({ module }) => module === change.module);
  const isWhole = changes.every(isThere) && verdict.kind === 'ours' && verdict.version !== undefined;
  return changes.some(isThere) && !isWhole ? inFront.slice(0, 1) : [];
}
