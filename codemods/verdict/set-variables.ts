/** Code that sets the environment variable which a base is read from: `process.env.API_URL = '…/v1'`, as tests do it. */
import type { Bases } from './routes.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { literalText } from '../evaluate/text.ts';
import { partsOf } from '../evaluate/values.ts';
import type { World } from '../evaluate/program.ts';
import type { StringNode } from '../syntax/tree.ts';
import { envOf } from './environment.ts';
import type { RequestSite } from './request-sites.ts';
import { type Change, urlChanges } from './spans.ts';
import { prefixVerdict } from './verdicts.ts';

/** @returns the sites, those whose variable is set to a base of ours with what changes there */
export function withSetVariables(world: World, sites: readonly RequestSite[], bases: Bases): RequestSite[] {
  const named = sites.map((site) => ({ site, name: variableOf(site) }));
  const names = new Set(named.flatMap(({ name }) => name ?? []));
  const byName = names.size === 0 ? new Map<string, readonly Change[]>() : changesByName(world, names, bases);
  return named.map(({ site, name = '' }) => {
    const changes = byName.get(name) ?? [];
    return changes.length === 0 ? site : { ...site, changes: [...site.changes, ...changes] };
  });
}

const variableOf = ({ verdict, request, variable }: RequestSite): string | undefined =>
  verdict.kind === 'ours' ? (envOf(request.url?.[0]) ?? variable?.value)?.name : undefined;

function changesByName(world: World, names: ReadonlySet<string>, bases: Bases): Map<string, Change[]> {
  const found = new Map<string, Change[]>();
  for (const module of world.modules.values()) {
    for (const node of module.texts) {
      const name = node.kind === 'string' ? settingOf(node) : undefined;
      if (node.kind !== 'string' || name === undefined || !names.has(name)) continue;
      const changes = found.get(name) ?? [];
      found.set(name, changes);
      changes.push(...movedIn(node, module, bases));
    }
  }
  return found;
}

function movedIn(node: StringNode, module: SourceModule, bases: Bases): readonly Change[] {
  const url = partsOf(literalText(node, module));
  const verdict = prefixVerdict(url, bases);
  return verdict.kind === 'ours' ? urlChanges(url, verdict, bases).changes : [];
}

/** What a text is set as: `process.env.NAME = '…'`, `{ NAME: '…' }` and `vi.stubEnv('NAME', '…')`. */
function settingOf(node: StringNode): string | undefined {
  const { parent } = node;
  if (parent?.kind === 'assign') return parent.target.kind === 'member' ? parent.target.property : undefined;
  if (parent?.kind === 'property') return parent.name;
  const [first, second] = parent?.kind === 'call' ? parent.args : [];
  return second === node && first?.kind === 'string' ? first.value : undefined;
}
