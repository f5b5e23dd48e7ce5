/** What to paste: into the configuration once somebody knows whose a key is, and into a terminal. */
import type { ClientRow, WorkspaceRow } from '../model.ts';
import { plain } from '../../text/escape.ts';
import { dateOf } from '../text/figures.ts';
import { clientName } from '../text/wording.ts';
import { hashMark } from '../../usage/workspaces.ts';

const clientsNamed = 3;
const longest = 80;

/** Line by line, a workspace in YAML with the hashes of keys, and what tells whose they may be as a comment: other people's text stays on its line. */
export function snippet({ keys, firstSeen }: WorkspaceRow, clients: readonly ClientRow[]): readonly string[] {
  const named = clients.slice(0, clientsNamed).map((client) => {
    const [source] = client.sources;
    return `    # ${plain(clientName(client)).slice(0, longest)}${source === undefined ? '' : ` from ${plain(source.network).slice(0, longest)}`}`;
  });
  return [
    'workspaces:',
    '  - name: NAME OF THE CUSTOMER',
    ...(firstSeen === null ? [] : [`    # first seen on ${dateOf(firstSeen)}`]),
    ...named,
    `    keys: [${keys.map((hash) => `'${hashMark}${hash}'`).join(', ')}]`,
  ];
}

/** Writes the letter to a workspace; its name, which is other people's text, is one word of the shell, whatever it holds. */
export const letterCommand = ({ name }: WorkspaceRow): string =>
  `npx migrate-v2 report --letters letters --workspace '${plain(name).replaceAll("'", "'\\''")}'`;
