/**
 * The addresses that files set the variables to which the user named. Where such a variable is read, all of them are ours by the user's word; so they are where
 * the address itself stands, in tests, documents and scripts of the shell.
 */
import { clientBases } from '../../src/config/types-migrate.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import { flat, unknownPart } from '../evaluate/values/text.ts';
import { packageFolders } from '../find/packages/package-folders.ts';
import type { Scan } from '../find/scan.ts';
import type { Walk } from '../find/walk.ts';
import { domainOf, isLocal, isLoopback } from '../verdict/bases/hosts.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import { madeImages } from './made-images.ts';
import { withOtherPrograms } from './other-programs.ts';
import { scriptsHere } from './scripts-here.ts';
import { textsIn } from './surroundings.ts';

/** @returns the bases, those that the user named with these */
export async function withNamedAddresses(
  found: Scan,
  { cwd, files, names }: Pick<Walk, 'cwd' | 'files' | 'names'>,
  bases: Bases,
): Promise<Bases> {
  const { texts } = bases.env.size === 0 ? { texts: [] } : textsIn(found, cwd);
  if (texts.length === 0) return bases;
  const { readFiles } = await import('./analyse-texts.ts');
  const isMadeHere = madeImages(files, (file) => found.texts.utf8(file));
  // What tests set, a server of theirs may answer, which other clients are given, too.
  const read = readFiles(texts).filter(({ source }) => !isTest(source) && !ofTests.test(source.file));
  const packageOf = packageFolders(files);
  const set = withOtherPrograms(read, isMadeHere, scriptsHere({ cwd, names }), bases.allowed).flatMap(
    ({ source: { file }, reading: { settings } }) =>
      settings
        .filter(({ name = '', isOfOthers }) => bases.env.has(name) && isOfOthers !== true)
        .flatMap(({ requests }) => requests.flatMap(({ url = [] }) => addressIn(flat(url))))
        .filter((address) => isOfDomain(address, bases))
        .map((address) => ({ address, folder: packageOf({ file }) })),
  );
  const addresses = new Set(set.map(({ address }) => address));
  const [folder, another] = new Set(set.map((each) => each.folder));
  // Of several hosts one may be that of another program, whose variable goes by the same name: those of one package are of its environments.
  const isOfOne = another === undefined && files.some(({ path }) => path === `${folder}package.json`);
  return addresses.size === 1 || isOfOne ? { ...bases, v1: [...new Set([...bases.v1, ...addresses])] } : bases;
}

/** Where the user has named addresses, too, one at another domain may be that of another service which the same code is built for: `thedogapi.env`. */
const isOfDomain = (address: string, { v1 }: Bases): boolean =>
  v1.length === 0 || v1.some((base) => domainOf(new URL(base).host) === domainOf(new URL(address).host));

const ofTests = /(?:^|[./_-])(?:tests?|e2e|ci|mocks?|spec)(?=[./_-]|$)/i;

/** What is written whole, and where others answer than the machine itself and its network. */
function addressIn(text: string): readonly string[] {
  const host = text.includes(unknownPart) ? undefined : URL.parse(text)?.host;
  if (host === undefined || host === '' || isLocal(host) || isLoopback(host)) return [];
  return clientBases.safeParse([text]).data ?? [];
}
