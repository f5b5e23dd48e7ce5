/** What is made of a document of OpenAPI: a client that is generated of it anew would send its key by another option than the one that its callers give it. */
import { posix } from 'node:path';
import { generatedOf, generators, readersAlone } from '../../clients/http/contracts/generators.ts';
import type { Passage } from '../../escape/ledger/passages.ts';
import { escaped } from '../../find/words/literals.ts';
import type { FoundFile } from '../../find/walk.ts';
import { packageFolders } from '../../find/packages/package-folders.ts';

/** @returns those that are the whole of a document of which no client is made */
export function unreadDescriptions(passages: readonly Passage[], files: readonly FoundFile[], textIn: (file: string) => string): Passage[] {
  const descriptions = passages.filter(({ isDescription }) => isDescription);
  const packageOf = packageFolders(descriptions.length === 0 ? [] : files);
  return descriptions.filter((description) => {
    const isReader = readerOf(description.file, packageOf);
    return !files.some(({ path, aside }) => aside === undefined && isReader(path, textIn(path)));
  });
}

function readerOf(description: string, packageOf: ReturnType<typeof packageFolders>): (path: string, text: string) => boolean {
  const folder = packageOf({ file: description });
  return (path, text) => {
    const isOfPackage = path.startsWith(folder);
    // Others have documents of the same name: from elsewhere it is named by its path.
    const name = isOfPackage ? posix.basename(description) : posix.relative(posix.dirname(path), description);
    if (path === description) return false;
    // What makes clients may find the document by its folder, or be given what others make of it.
    if (packageOf({ file: path }) === folder && generators.test(text)) return true;
    if (isSaid.test(path)) return false;
    const head = text.slice(0, maxHead);
    if (isOfPackage && generatedOf.test(head) && !readersAlone.test(head)) return true;
    const named = new RegExp(`(?<![\\w-])${escaped(name)}(?!\\w)`);
    return text.includes(name) && text.split('\n').some((line) => named.test(line) && !readersAlone.test(line));
  };
}

const isSaid = /\.(?:mdx?|txt)$|(?:^|\/)\.\w*ignore$/i;
const maxHead = 2_000;
