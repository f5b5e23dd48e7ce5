/** What is moved, and how texts beside it name that. */
import { type V1EndpointId, v1Endpoints } from '../../src/contract/endpoints.ts';
import type { Call, Edit } from '../model.ts';
import { memo } from '../once.ts';
import { anyPlaceholder, matchRoute } from '../verdict/bases/routes.ts';

/** A call that is moved, by this run or one before. */
export type Moved = Pick<Call, 'file' | 'endpoint'>;

/** A route as text has it: from its first slash to its last segment; an id has a digit, or the sign of a placeholder, as no word has. */
export const routeIn = (endpoint: V1EndpointId): RegExp =>
  new RegExp(`(?<![\\w.-])${v1Endpoints[endpoint].path.replaceAll(/:\w+/g, '[^/\\s`\'"]*[\\d:{<$_…][^/\\s`\'"]*')}(?![\\w/-])`);

/**
 * What files have the route and the header of, while the call is said to stand elsewhere: where a function of theirs is called that puts what it is given into
 * the address.
 * @param textIn the text of a file
 */
export function movedBehindCalls(calls: readonly Call[], edits: readonly Edit[], textIn: (file: string) => string): Moved[] {
  const byGroup = Map.groupBy(calls, ({ group }) => group);
  const endpointsOf = memo((group: string) => new Set(byGroup.get(group)?.map(({ endpoint }) => endpoint)));
  const withHeader = new Set(edits.flatMap(({ file, group, what }) => (what === 'header name' ? `${file} ${group}` : [])));
  return edits.flatMap(({ file, group, start, what }): Moved[] => {
    if (what !== 'path' || !withHeader.has(`${file} ${group}`)) return [];
    const [path] = /^v1\/[^\s'"`?#]*/.exec(textIn(file).slice(start, start + longestPath)) ?? [];
    const endpoints = path === undefined ? [] : matchRoute(`/${path}`, undefined, { placeholder: anyPlaceholder });
    return endpoints.flatMap((endpoint) => (endpointsOf(group).has(endpoint) ? { file, endpoint } : []));
  });
}

/** In characters. */
const longestPath = 200;
