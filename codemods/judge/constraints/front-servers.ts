/**
 * Servers in front of the program that pass calls on as they are. Version and key are then the call's own, and it moves only where every server that could
 * serve its page passes it on to the service, and none of them goes by a header that changes.
 */
import { dirname } from 'node:path/posix';
import type { Front, RouteUse, Use } from '../../uses-between-components.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Finding, FindingCode, Span } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';
import { chosenBy, type Location } from './nginx-locations.ts';
import { type Block, serversIn } from './nginx-servers.ts';
import { projectsIn } from '../../find/packages/projects.ts';

/** What speaks against it, and the path that moving calls have on the program's own server as its name. */
export interface FrontGuard extends Use {
  readonly code: FindingCode;
  readonly detail: Finding['detail'];
}

type Asked = RouteUse & { readonly asked: string; readonly front: Front };

/** @returns the first place that speaks against each path; all of them where it is about headers */
export function frontGuardsIn(
  files: readonly Pick<FoundFile, 'path' | 'kind'>[],
  routes: readonly RouteUse[],
  textIn: (file: string) => string,
  isOpen: IsOpen,
): FrontGuard[] {
  const moving = routes.filter(
    (route): route is Asked => route.asked !== undefined && route.front !== undefined && route.group !== undefined,
  );
  if (moving.length === 0) return [];
  const servers = serversIn(files, textIn);
  const projectOf = projectsIn(files);
  const guardAt = ({ file, start, end }: Span, name: string, code: FindingCode): FrontGuard => {
    const detail: Finding['detail'] = code === 'decides-by-path' ? { how: 'front' } : code === 'key-not-text' ? { how: 'read' } : {};
    return { file, start, end, ...positionsOf(textIn(file))(start), name, code, detail, group: undefined };
  };
  const guards = [...new Set(moving.map(({ asked }) => asked))].flatMap((name) => [
    ...servers.unread.filter(isOpen).map((place) => guardAt(place, name, 'decides-by-path')),
    ...servers.headers.filter(({ place }) => isOpen(place)).map(({ place, code }) => guardAt(place, name, code)),
  ]);
  const held = new Set<string>();
  for (const { asked, file, front } of distinct(moving)) {
    if (held.has(asked)) continue;
    const away = front.by.filter((each) => projectOf(each.file) !== projectOf(file));
    const other = [...servers.blocks.flatMap((block) => otherwise(block, front)), ...away].find(isOpen);
    if (other === undefined) continue;
    held.add(asked);
    guards.push(guardAt(other, asked, 'decides-by-path'));
  }
  return guards;
}

/** Calls of one folder that ask for the same are one. */
const distinct = (routes: readonly Asked[]): readonly Asked[] => [
  ...new Map(routes.map((route) => [`${dirname(route.file)} ${route.front.path}`, route])).values(),
];

/** Places in a server by which a call could go another way than to the service. */
function otherwise({ locations, before }: Block, { path, by }: Front): Span[] {
  const isOurs = ({ file, start, end, isPlain }: Location & Span): boolean =>
    isPlain && by.some((each) => each.file === file && start <= each.start && each.end <= end);
  const chosen = chosenBy(path, locations);
  const others = chosen.filter((each) => !isOurs(each) && !each.isFallback);
  return others.length > 0 || !chosen.some(isOurs) ? others : [...before];
}
