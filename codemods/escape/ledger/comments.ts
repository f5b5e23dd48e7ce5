/** Comments that say which route of v1 a function asks, or by which header: they are left as they are, and tell whoever reads them to use v1. */
import { v1Auth } from '../../../src/contract/auth.ts';
import { isOfNginx } from '../../engines/nginx.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { importedBy } from '../../evaluate/names/specifiers.ts';
import { escaped } from '../../find/words/literals.ts';
import type { Finding } from '../../model.ts';
import { memo, once } from '../../once.ts';
import { isComment, isInBlock } from '../../syntax/comments.ts';
import { lineAt } from '../../syntax/position.ts';
import { type Bases, routeHeads, spokenBase, versionApart } from '../../verdict/bases/routes.ts';
import { valuesOf } from '../answers/old-types.ts';
import { servedIn } from '../servers/own-routes.ts';
import { answersBelow, ownV1Of } from '../servers/own-v1.ts';
import { modulesNear } from './reach.ts';
import { suspicious } from './suspicious.ts';
import { isComment as isHashed } from './text-places.ts';

/**
 * @param moved files with what moves, or moved before
 * @param isOfClient whether a file gives the header to ours: in others it may be about somebody else's
 * @returns one finding for each line; where the file serves paths of its own, none of a route or a header that may be of these
 */
export function commentsOn(
  ev: Evaluation,
  bases: Bases,
  moved: ReadonlySet<SourceText>,
  isOfClient: (module: SourceModule) => boolean,
): Finding[] {
  const near = modulesNear(ev.world, bases);
  const ours = bases.v1.flatMap((base) => [`${spokenBase(base)}/v1\\b`, `${escaped(base)}${versionApart}`]);
  const before = ['', ...bases.v1.map((base) => escaped(new URL(base).pathname.replace(/\/$/, '')))];
  // A path behind a host is that one's, and one behind the path of a base of ours is ours.
  const spoken = new RegExp(
    [
      `(?<header>(?<![\\w-])${v1Auth.field}(?![\\w-]))`,
      ...ours,
      `(?<route>(?<![\\w.:/-])(?:${before.join('|')})(?:${routeHeads.join('|')})(?![\\w-]))`,
    ].join('|'),
    'gi',
  );
  // What a client imports and that asks for nothing says what the client is given, as types of options do.
  const given = once(() => importedByAny(ev, isOfClient));
  const own = once(() => ownV1Of(ev));
  return [...ev.world.modules.values()].flatMap((module): Finding[] => {
    const { file, text } = module;
    // The blocks of a document are no files, and their words are read with it.
    if (!near.has(module) || /\.mdx?$/.test(file)) return [];
    const isSaid = isOfNginx(module.tree.program)
      ? (start: number) => isHashed(module, { start, end: start })
      : (start: number) => isComment(text, start) || isInBlock(text, start);
    const found = [...text.matchAll(spoken)].filter(({ index }) => isSaid(index) && !/migrate-v2/.test(lineAt(text, index)));
    if (found.length === 0) return [];
    // Of what stays it is said why: its comments are about that.
    if (suspicious(module).length > 0 && !moved.has(module)) return [];
    const isValue = valuesOf(module);
    const isOfClients = (): boolean => isOfClient(module) || (suspicious(module).length === 0 && given().has(module));
    const isOfIts = memo((said: string) => {
      const route = said.slice(said.lastIndexOf('/v1/'));
      return own().hasRoute(route) || answersBelow(ev, module, route);
    });
    const isOwn = ({ header, route }: Readonly<Record<string, string | undefined>>): boolean =>
      servedIn(ev, module).size > 0 && ((header !== undefined && own().hasHeader) || (route !== undefined && isOfIts(route)));
    const meant = found.filter(
      ({ index, groups = {} }) => !isValue(index) && !isOwn(groups) && (groups['header'] === undefined || isOfClients()),
    );
    const lines = new Map(meant.toReversed().map((each) => [module.position(each.index).line, each]));
    return [...lines.values()].map(({ index: start, 0: said }): Finding => {
      return { code: 'mentioned', file, start, end: start + said.length, ...module.position(start), detail: { how: 'comment' } };
    });
  });
}

const importedByAny = ({ world }: Evaluation, isOfClient: (module: SourceModule) => boolean): ReadonlySet<SourceModule> =>
  new Set(
    [...world.modules.values()]
      .filter((module) => isOfClient(module))
      .flatMap((module) => importedBy(module).flatMap((specifier) => world.resolve(module, specifier) ?? [])),
  );
