/** Addresses of which nobody has to find out who calls with what. */
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import type { Part } from '../../evaluate/values/values.ts';
import { memo } from '../../once.ts';
import { isLocal } from './hosts.ts';
import { type Bases, matchUrl, routeHeads } from './routes.ts';

const placeholder = new RegExp(unknownPart);
/** A version and what comes next, both whole: what is unknown of the path stands behind, and holds nothing that would be edited. */
const versioned = new RegExp(String.raw`^[^?#]*?/v\d+/(?<head>[\w-]+)/[^${unknownPart}]*`);
const heads = new Set(routeHeads.map((head) => head.slice('/v1/'.length)));

/** Whether an address is of another host, or of no route of v1, whatever its unknown parts are. */
export function foreignTo(bases: Pick<Bases, 'v1'>): (url: readonly Part[]) => boolean {
  const isForeign = memo((text) => {
    const match = matchUrl(text, bases, undefined, { placeholder });
    return match.kind === 'foreign'
      ? !isLocal(match.host)
      : match.kind !== 'ours' && !heads.has(versioned.exec(text)?.groups?.['head'] ?? '');
  });
  return (url) => {
    const text = flat(url);
    const [known = ''] = versioned.exec(text) ?? [];
    // Which host it is, and whether that is ours, may be for those who call to say.
    const [first] = url;
    const isChosen = first !== undefined && 'unknownPart' in first && first.unknownPart.type === 'param';
    return known !== '' && !isChosen && !placeholder.test(known.slice(1)) && isForeign(text);
  };
}

const hostBefore = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+(?:[/?#]|$)/i;

/** Whether an address has the host of somebody else, written out. */
export function elsewhereTo(bases: Pick<Bases, 'v1'>): (url: readonly Part[]) => boolean {
  const isElsewhere = memo((begin) => hostBefore.test(begin) && matchUrl(begin, bases).kind === 'foreign');
  return (url) => isElsewhere(flat(url).split(unknownPart, 1)[0] ?? '');
}
