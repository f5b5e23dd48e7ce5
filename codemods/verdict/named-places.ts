/** Where a request is reported: what a person says of it counts there. */
import type { SourceText } from '../evaluate/source-text.ts';
import type { TextPart } from '../evaluate/values.ts';
import type { Request } from '../requests/requests.ts';
import type { Node } from '../syntax/tree.ts';
import { allowedAt, type Directive } from './directive-comments.ts';

interface NamedPlace {
  readonly node: Pick<Node, 'start' | 'end'>;
  readonly module: SourceText;
}

/** The call, those that lead to it, and where its path stands. */
export const namedPlaces = (request: Request): NamedPlace[] => [
  { node: request.call, module: request.module },
  ...request.callers,
  versionPlace(request),
  pathGiven(request),
];

/** The comment that lets it move along, wherever it is reported. */
export function allowanceOf(request: Request): Directive | undefined {
  for (const { node, module } of namedPlaces(request)) {
    const found = allowedAt(module, node.start, node.end);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text with the version; of a request without one, its call. */
export const versionPlace = (request: Request): NamedPlace =>
  placeOf(textsOf(request).find(({ text }) => text.includes('/v1'))) ?? { node: request.call, module: request.module };

/** Where a wrapper is given the path; the call itself where it stands there. */
export function pathGiven(request: Request): NamedPlace {
  const { call, module } = request;
  const place = placeOf(textsOf(request).findLast(({ text }) => /\w/.test(text)));
  const isThere = place === undefined || (place.module === module && call.start <= place.node.start && place.node.start < call.end);
  return isThere ? { node: call, module } : place;
}

const textsOf = ({ url = [] }: Request): TextPart[] => url.flatMap((part) => ('text' in part && part.source !== undefined ? part : []));

const placeOf = (part: TextPart | undefined): NamedPlace | undefined =>
  part?.source === undefined ? undefined : { node: part.source.node, module: part.source.module };
