/**
 * The addresses that files set the variables to which the user named. Where such a variable is read, all of them are ours by the user's word; so they are where
 * the address itself stands, in tests, documents and scripts of the shell.
 */
import { clientBases } from '../../src/config/types-migrate.ts';
import { flat, unknownPart } from '../evaluate/text.ts';
import type { Scan } from '../find/scan.ts';
import type { Walk } from '../find/walk.ts';
import { isLocal, isLoopback } from '../verdict/hosts.ts';
import type { Bases } from '../verdict/routes.ts';
import { madeImages } from './made-images.ts';
import { withOtherPrograms } from './other-programs.ts';
import { textsIn } from './surroundings.ts';

/** @returns the bases, those that the user named with these */
export async function withNamedAddresses(found: Scan, { cwd, files }: Pick<Walk, 'cwd' | 'files'>, bases: Bases): Promise<Bases> {
  const { texts } = bases.env.size === 0 ? { texts: [] } : textsIn(found, cwd);
  if (texts.length === 0) return bases;
  const { readFiles } = await import('./analyse-texts.ts');
  const isMadeHere = madeImages(files, (file) => found.texts.utf8(file));
  const settings = withOtherPrograms(readFiles(texts), isMadeHere, bases.allowed).flatMap(({ reading }) => reading.settings);
  const named = settings.filter(({ name = '', isOfOthers }) => bases.env.has(name) && isOfOthers !== true);
  const addresses = named.flatMap(({ requests }) => requests.flatMap(({ url = [] }) => addressIn(flat(url))));
  return { ...bases, v1: [...new Set([...bases.v1, ...addresses])] };
}

/** What is written whole, and where others answer than the machine itself and its network. */
function addressIn(text: string): readonly string[] {
  const host = text.includes(unknownPart) ? undefined : URL.parse(text)?.host;
  if (host === undefined || host === '' || isLocal(host) || isLoopback(host)) return [];
  return clientBases.safeParse([text]).data ?? [];
}
