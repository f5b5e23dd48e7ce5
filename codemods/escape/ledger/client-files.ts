/** Files of clients: what they tell people, and what leads to them does, is about the service. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Node } from '../../syntax/tree.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { placesOf, type RequestSite } from '../../verdict/request-sites.ts';
import { besideIn, isFieldHelp, isHelp, isLogged, leadingTo } from './help-texts.ts';
import { servedIn } from '../servers/own-routes.ts';
import { headerReads } from '../headers/reads/reads.ts';

/**
 * Files that ask ours or give it the header, or to whom nobody knows where ours is given it, and that take none themselves.
 * @param onV2 those of the sites that are on v2 as they are
 * @returns also of a text of help whether its file leads to one of them, and of a field's whether it is imported along with one
 */
export function clientFiles(
  ev: Evaluation,
  moved: ChangesByPlace,
  sites: readonly RequestSite[],
  onV2: readonly RequestSite[],
): (module: SourceModule, text?: Node) => boolean {
  const asking = [...moved.all, ...onV2.flatMap(placesOf)].filter(({ module }) => !isTest(module));
  const giving = [...moved.all.filter(({ what }) => what === 'header name'), ...onV2.flatMap(({ authorizations }) => authorizations)];
  // Of one whose base and key stand elsewhere nothing changes where it asks.
  const asked = sites.filter(
    ({ verdict, changes }) => verdict.kind === 'ours' && changes.some(({ module, start, end }) => moved.at(module, start, end).length > 0),
  );
  const files = new Set([...asking, ...giving].map(({ module }) => module.file));
  for (const { request } of asked) if (isScript(request.module) && !isTest(request.module)) files.add(request.module.file);
  const others = new Set(sites.flatMap(({ verdict, request }) => (verdict.kind === 'foreign' ? request.module.file : [])));
  if (files.size > 0)
    for (const { keys, verdict, request } of sites)
      if (keys.length > 0 && verdict.kind === 'unproven' && !others.has(request.module.file)) files.add(request.module.file);
  const isLeading = leadingTo(ev.world, files);
  const isBeside = besideIn(ev.world, files);
  return (module, text) =>
    (files.has(module.file) ||
      (text !== undefined && (isHelp(text) || isLogged(text)) && isLeading(module)) ||
      (text !== undefined && isFieldHelp(text) && isBeside(module))) &&
    servedIn(ev, module).size === 0 &&
    !headerReads(ev, module).some(({ isServer }) => isServer);
}
