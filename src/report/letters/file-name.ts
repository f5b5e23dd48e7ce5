import { createHash } from 'node:crypto';

/** Of the name, for people; what tells it from all others is behind it. */
const longest = 60;

/**
 * The name of the file of a workspace, without its extension: the same for the same workspace, whichever others there are, and another one for each,
 * also where upper and lower case are one. It is a single name of letters, digits and dashes on every system.
 */
export function fileNameOf(workspace: string): string {
  const readable = workspace
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '');
  const hash = createHash('sha256').update(workspace).digest('hex').slice(0, 10);
  return readable === '' ? hash : `${readable}-${hash}`;
}
