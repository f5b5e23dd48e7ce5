/**
 * Workflows of n8n in a package of nodes, or in a folder above it, that send its credentials to another host: `{ url: 'https://files.example.net/v1/exports', nodeCredentialType: 'messagingApi' }`.
 * The class of the credentials writes the key into whatever is asked with them, so its header stays.
 */
import { parseJson } from '../../formats/data/json.ts';
import { mapsIn, textOf } from '../../formats/data/tree.ts';
import { foldersAbove, packageFolders } from '../../find/packages/package-folders.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Edit } from '../../model.ts';
import { memo } from '../../once.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { Left } from '../../uses-between-components.ts';
import { type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';
import type { Member } from './between-components.ts';

/** @returns the headers of such credentials, which would change */
export function sentToOtherHosts(
  members: readonly Member[],
  files: readonly FoundFile[],
  bases: Bases,
  textIn: (file: string) => string,
  isOpen: IsOpen,
): Left[] {
  const isAuthenticating = memo((file) => textIn(file).includes('authenticate') && authenticates.test(textIn(file)));
  const headers = members.flatMap(({ edits }) => edits.filter(({ what, file }) => what === 'header name' && isAuthenticating(file)));
  if (headers.length === 0) return [];
  const folderOf = packageFolders(files);
  const asked = files.flatMap(({ path }) => (path.endsWith('.json') ? askedIn(path, textIn(path), bases).filter(isOpen) : []));
  const leftBy = ({ file, start, end }: Edit): Left[] => {
    const names = new Set(Array.from(textIn(file).matchAll(named), ([, name]) => name));
    const other = asked.find((each) => names.has(each.credentials) && foldersAbove(file).includes(folderOf(each)));
    return other === undefined
      ? []
      : [{ file, start, end, by: `${other.file}:${other.line}`, why: 'credentials', name: other.credentials }];
  };
  return headers.flatMap(leftBy);
}

const authenticates = /^\s*(?:public\s+)?(?:async\s+)?authenticate\b/m;
/** `name = 'messagingApi';` */
const named = /^\s*(?:public\s+)?name\s*(?::\s*string\s*)?=\s*['"`](\w+)['"`]/gm;

/** The requests to hosts of others that name the credentials which they are sent with. */
function askedIn(file: string, text: string, bases: Bases) {
  if (!text.includes('nodeCredentialType')) return [];
  return parseJson(text)
    .roots.flatMap(mapsIn)
    .flatMap((map) => {
      const [credentials, url] = [textOf(map, /^nodeCredentialType$/), textOf(map, /^url$/)];
      // An expression may hold several addresses, or none: `={{ $json.next }}`.
      const addresses = url?.value.match(/https?:\/\/[\w.-]+(?:[:/?#][^\s'"`]*|$|(?=['"`]))/gi) ?? [];
      if (credentials === undefined || url === undefined) return [];
      if (!addresses.some((address) => matchUrl(address, bases).kind === 'foreign')) return [];
      const { start, end } = url;
      return [{ file, start, end, ...positionsOf(text)(start), credentials: credentials.value }];
    });
}
