/** Code that sets the environment variable which a base is read from: `process.env.API_URL = '…/v1'`, as tests do it. */
import type { Bases } from './routes.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { literalText, partsOf } from '../evaluate/values.ts';
import type { World } from '../evaluate/program.ts';
import type { StringNode } from '../syntax/tree.ts';
import { envOf } from './environment.ts';
import type { Site } from './request-sites.ts';
import { type Change, urlChanges } from './spans.ts';
import { prefixVerdict } from './verdicts.ts';

/** @returns the sites, those whose variable is set to a base of ours with what changes there */
export function withSetVariables(world: World, sites: readonly Site[], bases: Bases): Site[] {
  const byName = new Map<string, readonly Change[]>();
  return sites.map((site) => {
    const name = site.verdict.kind === 'ours' ? (envOf(site.request.url?.[0]) ?? site.variable?.value)?.name : undefined;
    if (name === undefined) return site;
    const changes = byName.get(name) ?? changesOf(world, name, bases);
    byName.set(name, changes);
    return changes.length === 0 ? site : { ...site, changes: [...site.changes, ...changes] };
  });
}

function changesOf(world: World, name: string, bases: Bases): Change[] {
  return [...world.modules.values()].flatMap((module) =>
    module.texts.flatMap((node) => (node.kind === 'string' && isSetTo(node, name) ? movedIn(node, module, bases) : [])),
  );
}

function movedIn(node: StringNode, module: SourceModule, bases: Bases): readonly Change[] {
  const url = partsOf(literalText(node, module));
  const verdict = prefixVerdict(url, bases);
  return verdict.kind === 'ours' ? urlChanges(url, verdict, bases).changes : [];
}

/** `process.env.NAME = '…'`, `{ NAME: '…' }` and `vi.stubEnv('NAME', '…')`. */
function isSetTo(node: StringNode, name: string): boolean {
  const { parent } = node;
  if (parent?.kind === 'assign') return parent.target.kind === 'member' && parent.target.property === name;
  if (parent?.kind === 'property') return parent.name === name;
  const [first, second] = parent?.kind === 'call' ? parent.args : [];
  return second === node && first?.kind === 'string' && first.value === name;
}
