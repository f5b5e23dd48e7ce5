/**
 * Pages in languages that are not read, and ask by a path of the program's own server: `fetch('/api/v1/contacts')` in PHP or a template. Where a proxy passes
 * calls on under that path, theirs go through it as well, and would be of v1 with a header of v2.
 */
import type { RouteUse, Use } from '../../uses-between-components.ts';
import { askedInPages } from '../../clients/http/asked-in-pages.ts';
import { escaped } from '../../find/words/literals.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';
import { routeHeads } from '../../verdict/bases/routes.ts';
import { withoutComments } from './foreign-readers.ts';

const page = /\.(?:php|erb|ejs|hbs|pug|twig|j2|jinja2?|mustache|njk|liquid|html?\.\w+)$/i;
const heads = routeHeads.map((head) => escaped(head.slice('/v1'.length))).join('|');

/** @returns each place with the path that moving calls have on the program's own server, as its name */
export function pageCallsIn(
  files: readonly string[],
  routes: readonly RouteUse[],
  textIn: (file: string) => string,
  isOpen: IsOpen,
): Use[] {
  const asked = [...new Set(routes.flatMap(({ asked: path, group }) => (path === undefined || group === undefined ? [] : path)))];
  if (asked.length === 0) return [];
  const pattern = new RegExp(`(?<=${askedInPages})(?<name>${asked.map(escaped).join('|')})(?:${heads})(?![\\w-])`, 'g');
  return files
    .filter((file) => page.test(file))
    .flatMap((file) => {
      const text = textIn(file);
      const position = positionsOf(text);
      return Array.from(withoutComments(text, file).matchAll(pattern)).flatMap(({ index: start, 0: found, groups }): Use[] => {
        const end = start + found.length;
        return isOpen({ file, start, end })
          ? [{ file, start, end, ...position(start), name: groups?.['name'] ?? '', group: undefined }]
          : [];
      });
    });
}
