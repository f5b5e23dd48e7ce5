/** `migrate-v2 report --letters`: writes the letters into a folder. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, firstLine } from '../../config/errors.ts';
import type { Settings } from '../../config/settings.ts';
import { ownReports } from '../../report/build.ts';
import { type Letter, lettersOf, type NoLetter } from '../../report/letters/letters.ts';
import { counted } from '../../report/text/figures.ts';
import { listed } from '../../report/text/wording.ts';
import { groupsOf, isEverybody } from '../../report/whose.ts';
import { plain } from '../../text/escape.ts';
import { openReader } from '../../usage/store/open.ts';
import { readTemplates } from './letter-templates.ts';

/** Letters tell who calls: they are for their owner alone, as the store is. */
const ownerOnly = 0o600;
const ownFolder = 0o700;

/** Which files of the folder are ours, and what they held when they were written: names and SHA-256. */
const manifestName = 'letters.json';

/**
 * Writes the letters, and says what was done on stderr.
 * @throws ConfigError where a template is wrong, or a file is not ours to replace; nothing is written then
 * @throws StoreError
 */
export async function writeLetters({
  store,
  letters: folder,
  templates,
  from,
  workspace,
  owner,
  ...settings
}: Settings<'report'>): Promise<void> {
  if (folder === undefined) return;
  const templatesOf = await readTemplates(templates);
  const now = Date.now();
  const whose = { workspaces: workspace, owners: owner };
  const letters: Letter[] = [];
  const without = new Map<NoLetter, number>();
  const reader = await openReader(store);
  try {
    const own = await ownReports(reader, { ...settings, now });
    const chosen = isEverybody(whose) ? null : groupsOf(own.groups, whose);
    for await (const outcome of lettersOf(own, { chosen, from, at: new Date(now), templatesOf })) {
      if ('letter' in outcome) letters.push(outcome.letter);
      else without.set(outcome.none, (without.get(outcome.none) ?? 0) + 1);
    }
  } finally {
    await reader.close();
  }
  const stale = await writeAll(folder, new Map(letters.flatMap(({ files }) => [...files])));
  // Of a few that were chosen, nothing is known of who else needs one.
  const needless = isEverybody(whose) ? stale : [];
  for (const line of summary(folder, letters, without, needless)) console.error(line);
}

const reasons = {
  safe: 'no longer calls v1',
  refused: 'was never accepted by v2',
  never_called: 'never called v1',
  unknown_key: 'is a key that nobody knows: find out whose it is',
  snoozed: 'is snoozed',
} as const satisfies Record<NoLetter, string>;

function summary(
  folder: string,
  letters: readonly Letter[],
  without: ReadonlyMap<NoLetter, number>,
  stale: readonly string[],
): readonly string[] {
  const nowhere = letters.filter(({ hasAddress }) => !hasAddress).map(({ workspace }) => plain(workspace));
  return [
    `Wrote ${counted(letters.length, 'letter')} to ${plain(folder)}, each as .md, .html and .eml; the mails open as drafts`,
    ...(nowhere.length === 0 ? [] : [`No address is known of ${listed(nowhere)}: give the workspace a contact`]),
    ...[...without].map(([reason, count]) => `No letter for ${count}: ${count === 1 ? 'it' : 'each'} ${reasons[reason]}`),
    ...(stale.length === 0 ? [] : [`${counted(stale.length, 'file')} of letters that nobody needs any more: ${listed(stale)}`]),
  ];
}

type Manifest = ReadonlyMap<string, readonly string[]>;

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

const fail = (path: string, problem: string, cause?: unknown): ConfigError =>
  new ConfigError({ code: 'CONFIG_INVALID', key: '--letters', problem: `${plain(path)} ${problem}`, cause });

/**
 * Writes files into a folder: all, or none where one of the same name is not as it was written here.
 * @returns files of earlier letters that are there still
 */
async function writeAll(folder: string, files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  try {
    await mkdir(folder, { recursive: true, mode: ownFolder });
    const manifest = await readManifest(folder);
    for (const [name, content] of files) {
      const there = await readFile(join(folder, name)).catch(nothingThere);
      if (there === undefined || manifest.get(name)?.includes(hashOf(there)) === true || hashOf(there) === hashOf(content)) continue;
      const why = manifest.has(name) ? 'was changed since it was written here' : 'was not written here';
      throw fail(join(folder, name), `${why}, and is not replaced: move it away, or choose another folder`);
    }
    const written = new Map([...files].map(([name, content]) => [name, [hashOf(content)]] as const));
    // Whatever is written when this ends too early is known to be ours, and so is what was there before.
    const either = [...written].map(([name, hashes]) => [name, [...(manifest.get(name) ?? []), ...hashes]] as const);
    await writeManifest(folder, new Map([...manifest, ...either]));
    for (const [name, content] of files) await write(join(folder, name), content);
    await writeManifest(folder, new Map([...manifest, ...written]));
    const stale = [...manifest.keys()].filter((name) => !files.has(name));
    const there = await Promise.all(
      stale.map((name) =>
        readFile(join(folder, name)).then(
          () => true,
          () => false,
        ),
      ),
    );
    return stale.filter((_name, index) => there[index]);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw fail(folder, `cannot be written (${firstLine(cause)})`, cause);
  }
}

function nothingThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(nothingThere);
  if (text === undefined) return new Map();
  try {
    const content: unknown = JSON.parse(text);
    const entries: readonly [string, unknown][] = Object.entries(typeof content === 'object' && content !== null ? content : {});
    return new Map(entries.map(([name, hashes]) => [name, Array.isArray(hashes) ? hashes.map(String) : []]));
  } catch {
    // Nothing is known to be ours then.
    return new Map();
  }
}

const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  write(join(folder, manifestName), `${JSON.stringify(Object.fromEntries(manifest), null, 2)}\n`);

/** In place of what is there, a link as well, and whole or not at all. */
async function write(path: string, content: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, content, { mode: ownerOnly, flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
