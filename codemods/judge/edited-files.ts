/** What files that a document names were edited for: what it says of an address or of the header there goes along. */
import { isTest } from '../evaluate/libraries/test-files.ts';
import type { Passage } from '../escape/ledger/passages.ts';
import { foldersAbove } from '../find/packages/package-folders.ts';
import { answersRequests } from '../clients/servers/frameworks.ts';
import type { FoundFile } from '../find/walk.ts';
import type { Edit } from '../model.ts';
import { memo } from '../once.ts';
import { isAddressEdit, usesOf } from './uses-of-v1.ts';

interface Known {
  /** By their ends, what documents call files by. */
  readonly names: ReadonlySet<string>;
  readonly files: readonly FoundFile[];
  readonly editsIn: ReadonlyMap<string, readonly Edit[]>;
  /** Files with something that stays. */
  readonly left: ReadonlySet<string>;
  readonly textIn: (file: string) => string;
}

/**
 * @returns whether all that a passage says of addresses and of the header was edited in a file that it names, and each of these for some of that: `config.ts` holds
 *   the address, and `client.ts` adds the header
 */
export function saidOfEdits({ names, files, editsIn, left, textIn }: Known) {
  const byName = new Map<string, FoundFile[]>();
  for (const file of names.size === 0 ? [] : files)
    for (const name of isTest({ file: file.path }) ? [] : endsOf(file.path))
      if (names.has(name)) byName.set(name, [...(byName.get(name) ?? []), file]);
  const isEdited = memo((found: FoundFile): ((kind: Kind) => boolean) => {
    const own = editsIn.get(found.path) ?? [];
    // Who answers requests may take the key of others by the same header.
    if (own.length === 0 || left.has(found.path) || answersRequests.test(textIn(found.path))) return () => false;
    const uses = usesOf(found, own, textIn);
    return (kind) => (kind === 'header' ? !uses.has('header') && own.some(({ what }) => what === 'header name') : own.some(isAddressEdit));
  });
  const isEditedBelow = memo((folder: string): ((mention: Mention) => boolean) => {
    const own = files.filter(({ path }) => path.startsWith(folder) && !isTest({ file: path }));
    const uses = own.map((found) => usesOf(found, editsIn.get(found.path) ?? [], textIn));
    if (own.some(({ path }) => left.has(path)) || uses.some((each) => each.has('all'))) return () => false;
    const isAnyHeaderKept = uses.some((each) => each.has('header'));
    return ({ kind, isOfAddress = false }) =>
      own.some((found) => isEdited(found)(kind)) && (kind !== 'header' || isOfAddress || !isAnyHeaderKept);
  });
  return (folder: string, { subjects = [], mentions }: Pick<Passage, 'subjects' | 'mentions'>): boolean => {
    const isOf = (name: string, mention: Mention): boolean => {
      const [file, ...others] = (byName.get(name) ?? []).filter(({ path }) => path.startsWith(folder));
      if (file === undefined) return isEditedBelow(`${folder}${name}/`)(mention);
      return others.length === 0 && isEdited(file)(mention.kind);
    };
    return (
      subjects.length > 0 &&
      subjects.every(({ kind, name }) => kind === 'file' && mentions.some((each) => isOf(name, each))) &&
      mentions.every((each) => each.kind !== 'route' && each.endpoints.length === 0 && subjects.some(({ name }) => isOf(name, each)))
    );
  };
}

type Mention = Passage['mentions'][number];
type Kind = Mention['kind'];

/** `c.ts`, `b/c.ts` and `a/b/c.ts` of the last. */
const endsOf = (path: string): readonly string[] => foldersAbove(`${path}/`).map((_, i, all) => path.slice(all[i]?.length));
