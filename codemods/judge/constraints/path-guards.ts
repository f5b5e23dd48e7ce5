/**
 * Servers in front of the program that decide by a path of its own which calls may come in: `location /api/v1/campaigns` of nginx, an Ingress, headers of
 * netlify.toml. Where a proxy of the program passes calls on under that path, they would come by another one.
 */
import type { RouteUse, Use } from '../../uses-between-components.ts';
import type { FileKind } from '../../find/kinds.ts';
import { escaped } from '../../find/words/literals.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';
import { routeHeads } from '../../verdict/bases/routes.ts';
import { withoutComments } from './foreign-readers.ts';

/** What a line of such a configuration begins with … */
const directives =
  'location|rewrite|if|handle(?:_path)?|route|reverse_proxy|basic_?auth|forward_auth|@\\w+|acl|<Location(?:Match)?|ProxyPass\\w*';
/** … and what a path is the value of. */
const keys = 'path|prefix|pathPrefix|path_pattern|source|route|for|from|match|regex';
const heads = routeHeads.map((head) => escaped(head.slice('/v1'.length))).join('|');

/** Kinds of files beside those that the kit does not read. */
export const isConfiguration: ReadonlySet<FileKind | 'bare'> = new Set(['yaml', 'toml', 'json']);

/** @returns each place with the path that moving calls have on the program's own server, as its name */
export function pathGuardsIn(
  files: readonly string[],
  routes: readonly RouteUse[],
  textIn: (file: string) => string,
  isOpen: IsOpen,
): Use[] {
  const asked = new Set(routes.flatMap(({ asked: path, group }) => (path === undefined || group === undefined ? [] : path)));
  if (asked.size === 0) return [];
  return files.flatMap((file) => {
    const text = textIn(file);
    const position = positionsOf(text);
    return [...asked].flatMap((name): Use[] => {
      if (!text.includes(name) || text.includes(name.replace(/v1$/, 'v2'))) return [];
      const before = `^[ \\t]*(?:${directives})\\b[^\\n]*?[\\s"'~^(]|\\b(?:${keys})["']?\\s*[:=]\\s*["'^]*|PathPrefix\\([\`"']|^|^[ \\t]*["']?(?:~\\*?\\^?|(?=/[^\\s;]*[ \\t]+[^\\s;]+;))`;
      const pattern = new RegExp(`(?<=${before})${escaped(name)}(?:/?(?![\\w/-])|/(?=[*^(])|(?:${heads})(?![\\w-]))`, 'gm');
      return Array.from(withoutComments(text, file).matchAll(pattern)).flatMap(({ index: start, 0: found }) => {
        const end = start + found.length;
        return isOpen({ file, start, end }) ? [{ file, start, end, ...position(start), name, group: undefined }] : [];
      });
    });
  });
}
