/** Who asks the machine itself, or a container: nothing there says whose that is, but who listens on that port may. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Node } from '../../syntax/tree.ts';
import { isLocal, isLoopback } from '../../verdict/bases/hosts.ts';
import { placesOf, type RequestSite } from '../../verdict/request-sites.ts';

export interface LocalAsk {
  readonly file: string;
  /** Where something stands that the request is made of: a part of its address, its key. */
  readonly start: number;
  readonly host: string;
}

export const localAsksOf = (sites: readonly RequestSite[]): LocalAsk[] =>
  sites.flatMap((site) => {
    const { verdict, keys, request } = site;
    if (verdict.kind !== 'foreign' || request.isMock || !isAtPort(verdict.host)) return [];
    const places: readonly { readonly node: Node; readonly module: SourceText }[] = [
      ...placesOf(site),
      ...keys.flatMap(({ node, module, key }) => [{ node, module }, ...(key?.source === undefined ? [] : [key.source])]),
    ];
    return places.map(({ node, module: { file } }) => ({ file, start: node.start, host: verdict.host }));
  });

/** Whether a host is a port of the machine itself, or of a container. */
export const isAtPort = (host: string): boolean => /:\d+$/.test(host) && (isLoopback(host) || isLocal(host));
