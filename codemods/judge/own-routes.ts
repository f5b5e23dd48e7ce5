/** Relative addresses that the project answers itself, by a file that a framework finds or by a route that its server defines: calls of the own server, and no question. */
import { escaped } from '../find/words/literals.ts';
import type { FoundFile } from '../find/walk.ts';
import { once } from '../once.ts';
import type { Plan } from '../model.ts';
import { routeHeads } from '../verdict/bases/routes.ts';
import { answeredBy } from './defined-routes.ts';

type Outcome = Pick<Plan, 'findings' | 'ledger'>;

/** @param textIn the text of a file */
export function withoutOwnRoutes<Whole extends Outcome>(
  whole: Whole,
  files: readonly FoundFile[],
  textIn: (file: string) => string,
): Whole {
  const asked = whole.findings.filter(({ code, group, detail }) => code === 'base-not-proven' && group === undefined && 'paths' in detail);
  if (asked.length === 0) return whole;
  const routes = files.flatMap(({ path }) => routeOf(path) ?? routesListed(path, textIn));
  const defined = once(() => answeredBy(files, textIn));
  const isAnswered = (path: string, by: string): boolean =>
    routes.some(({ folder, pattern }) => by.startsWith(folder) && pattern.test(path)) || defined()?.(path) === true;
  const own = new Set(asked.filter(({ file, detail }) => detail['paths']?.split(' ').every((path) => isAnswered(path, file))));
  if (own.size === 0) return whole;
  return {
    ...whole,
    findings: whole.findings.filter((finding) => !own.has(finding)),
    ledger: whole.ledger.map((entry) => {
      const isOwn =
        entry.reason === 'base-not-proven' &&
        [...own].some(({ file, start, end }) => file === entry.file && start <= entry.start && entry.end <= end);
      return isOwn ? { ...entry, state: 'foreign', reason: 'own-server' } : entry;
    }),
  };
}

/** Whether a file answers paths of v1 by where it stands; what it has besides, as `/v1/subscribers`, the service does not. */
export const servesV1 = (file: string): boolean => ofService.test(routeOf(file)?.pattern.source ?? '');
const ofService = new RegExp(String.raw`v1(?!\\?/(?!${routeHeads.map((head) => head.slice('/v1/'.length)).join('|')})[a-z])`);

interface Route {
  /** What it serves is asked from files below. */
  readonly folder: string;
  readonly pattern: RegExp;
}

/** By where frameworks look for them: `routes/api/+server.ts`, `app/api/route.ts`, `pages/api/index.ts`, `server/api/contacts.get.ts`. */
const places = [
  /^(?<folder>(?:.*\/)?)(?:src\/)?routes\/(?<path>.*)\/\+server\.[jt]s$/,
  /^(?<folder>(?:.*\/)?)(?:src\/)?app\/(?<path>.*)\/route\.[jt]sx?$/,
  /^(?<folder>(?:.*\/)?)(?:src\/)?pages\/(?<path>api\/.*?)(?:\/index)?\.[jt]sx?$/,
  /^(?<folder>(?:.*\/)?)server\/(?<path>api\/.*?)(?:\/index)?(?:\.(?:get|post|put|patch|delete))?\.[jt]s$/,
  /^(?<folder>(?:.*\/)?)server\/routes\/(?<path>.*?)(?:\/index)?(?:\.(?:get|post|put|patch|delete))?\.[jt]s$/,
];

function routeOf(file: string): Route | undefined {
  const place = places.find((each) => each.test(file));
  if (place === undefined) return undefined;
  const { folder = '', path = '' } = place.exec(file)?.groups ?? {};
  const segments = path.split('/').filter((segment) => !/^\(.*\)$/.test(segment));
  return { folder, pattern: new RegExp(`^/${segments.map(segmentOf).join('/')}/?$`) };
}

/** `route('api/v1/messages/:id', 'routes/message.ts')` of React Router, which lists them in one file. */
function routesListed(file: string, textIn: (file: string) => string): Route[] {
  const { folder } = /^(?<folder>(?:.*\/)?)app\/routes\.[jt]s$/.exec(file)?.groups ?? {};
  if (folder === undefined) return [];
  return Array.from(textIn(file).matchAll(/\broute\(\s*(["'])\/?(?<path>[^"']+)\1/g), ({ groups }) => {
    const segments = (groups?.['path'] ?? '').split('/');
    return { folder, pattern: new RegExp(`^/${segments.map(segmentListed).join('/')}/?$`) };
  });
}

/** `:id` is any segment, `*` any path. */
const segmentListed = (segment: string): string => (segment === '*' ? '.+' : segment.startsWith(':') ? '[^/]+' : escaped(segment));

/** `[id]` is any segment, `[id].json` any with that end, `[...rest]` any path. */
const segmentOf = (segment: string): string =>
  /^\[+\.\.\./.test(segment) ? '.+' : escaped(segment).replaceAll(/(?:\\\[)+[^\][]+(?:\\\])+/g, '[^/]+');
