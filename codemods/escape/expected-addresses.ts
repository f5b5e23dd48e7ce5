/** Addresses of ours that a test expects, whose path v1 has not: `expect(urlOf('/any', { a: 'b' })).toBe('https://api.example.com/v1/any?a=b')`. */
import type { SourceModule } from '../evaluate/module.ts';
import type { Node } from '../syntax/tree.ts';
import type { RequestSite } from '../verdict/request-sites.ts';
import { type Bases, matchUrl } from '../verdict/routes.ts';
import { isExpected } from './repeats.ts';
import type { Suspicious } from './suspicious.ts';

/** @returns those that no call asks which stays for its path */
export function expectedAddresses(modules: readonly SourceModule[], sites: readonly RequestSite[], bases: Bases): Suspicious[] {
  const staying = new Set(
    sites.flatMap(({ verdict, request }) => (verdict.kind === 'unknown-route' && !request.isMock ? pathOf(verdict.route) : [])),
  );
  return modules.flatMap((module) =>
    module.texts.flatMap((node): Suspicious[] => {
      const match = node.kind === 'string' && node.value.includes('/v1/') ? matchUrl(node.value, bases) : undefined;
      const isOpen = match?.kind === 'ours' && match.versionStart !== undefined && match.route === undefined;
      return isOpen && !staying.has(match.path) && (isExpected(node, module) || isOfRow(node))
        ? [{ node, module, start: node.start, end: node.end }]
        : [];
    }),
  );
}

/** `it.each([['/any', 'https://api.example.com/v1/any']])`: in a list, which a test goes through. */
function isOfRow(node: Node): boolean {
  let at = node;
  while (at.parent?.kind === 'property' || at.parent?.kind === 'object') at = at.parent;
  return at.parent?.kind === 'array';
}

const pathOf = (route: string): string => route.replace(/[?#].*$/s, '');
