/** Where a request is reported: what a person says of it counts there. */
import type { SourceText } from '../evaluate/values/source-text.ts';
import type { TextPart } from '../evaluate/values/values.ts';
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

/** Where a wrapper is given the path; the call itself where it stands there. A base that is asked for alone, a call on the way says. */
export function pathGiven(request: Request): NamedPlace {
  const { call, module, callers } = request;
  const texts = textsOf(request);
  const last = texts.findLastIndex(({ text }) => /\w/.test(text));
  const calls = [{ node: call, module }, ...callers];
  const isSaid = (place: NamedPlace | undefined): boolean => calls.some((each) => place !== undefined && isIn(place, each));
  const isAlone = isBase.test(texts[last]?.text ?? '');
  const place = isAlone ? [texts[last + 1], texts[last]].map(placeOf).find(isSaid) : placeOf(texts[last]);
  return place === undefined || isIn(place, { node: call, module }) ? { node: call, module } : place;
}

const isIn = (place: NamedPlace, { node, module }: NamedPlace): boolean =>
  place.module === module && node.start <= place.node.start && place.node.start < node.end;

/** `https://api.example.com`, `https://api.example.com/v1`, `/v1` */
const isBase = /(?:^\w+:\/\/[^/?#]+|(?:^|\/)v1)\/?$/;

const textsOf = ({ url = [] }: Request): TextPart[] => url.flatMap((part) => ('text' in part && part.source !== undefined ? part : []));

const placeOf = (part: TextPart | undefined): NamedPlace | undefined =>
  part?.source === undefined ? undefined : { node: part.source.node, module: part.source.module };
