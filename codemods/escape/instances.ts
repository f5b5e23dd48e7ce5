/**
 * Instances of a class at other hosts: the class is one client for all of them, whether or not a call on each of them can be seen,
 * so a known other host keeps it as it is (design.md §6.1).
 */
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Bases } from '../verdict/routes.ts';
import { madeBySink } from '../requests/sinks.ts';
import { joinUrl } from '../evaluate/text.ts';
import { type Frame, optionsOf, partsOf } from '../evaluate/values.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import type { CallNode, ClassNode, Node } from '../syntax/tree.ts';
import type { Site } from '../verdict/request-sites.ts';
import { verdictOf } from '../verdict/verdicts.ts';

export interface ForeignInstance {
  /** Where it is made. */
  readonly node: CallNode;
  readonly module: SourceModule;
  /** undefined where it was too much to find out. */
  readonly host: string | undefined;
  /** Our request of the same class. */
  readonly site: Site;
}

export function foreignInstances(ev: Evaluation, sites: readonly Site[], bases: Bases): ForeignInstance[] {
  const made = instancesMade(ev);
  // A call that is seen to go elsewhere is told as such.
  const told = new Set(sites.flatMap(({ request, verdict }) => (verdict.kind === 'foreign' ? [request.call] : [])));
  return sites.flatMap((site): ForeignInstance[] => {
    const { call, module } = site.request;
    const owner = classAround(call);
    if (site.verdict.kind !== 'ours' || !isScript(module) || call.kind !== 'call' || owner === undefined || told.has(call)) return [];
    return (made.get(owner) ?? []).flatMap(({ node, module: from }) => {
      const args = ev.args(node, { module: from, frame: undefined });
      const of = { type: 'class', node: owner, module, frame: undefined } as const;
      const frame: Frame = { owner, self: { type: 'instance', of, args }, outer: undefined };
      const { value: host, isCut } = ev.budget.question({ node, module: from }, () =>
        foreignHost(madeBySink(ev, { call, module }, frame), bases),
      );
      return host === undefined && !isCut ? [] : [{ node, module: from, host, site }];
    });
  });
}

/** Every `new`, by the class that it makes an instance of. */
function instancesMade(ev: Evaluation): Map<Node, { readonly node: CallNode; readonly module: SourceModule }[]> {
  const made = new Map<Node, { node: CallNode; module: SourceModule }[]>();
  for (const module of ev.world.modules.values()) {
    for (const node of module.calls) {
      if (!node.isNew) continue;
      for (const value of optionsOf(ev.evaluate(node.callee, { module, frame: undefined }))) {
        if (value.type === 'class') made.set(value.node, [...(made.get(value.node) ?? []), { node, module }]);
      }
    }
  }
  return made;
}

function classAround(node: Node): ClassNode | undefined {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'class') at = at.parent;
  return at?.kind === 'class' ? at : undefined;
}

function foreignHost(value: ReturnType<typeof madeBySink>, bases: Bases): string | undefined {
  for (const http of optionsOf(value)) {
    if (http.type !== 'http') continue;
    const url = joinUrl(http.base, http.url, http.join ?? 'slash');
    for (const option of url === undefined ? [] : optionsOf(url)) {
      const verdict = verdictOf({ url: partsOf(option), method: undefined, isPrefix: false }, bases);
      if (verdict.kind === 'foreign') return verdict.host;
    }
  }
  return undefined;
}
