/** Changes as a patch that `git apply` and `patch -p1` take. */
import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';
import type { Change } from './write.ts';

/** Lines around a change, as git shows them. */
const context = 3;

/**
 * The changes as one patch, to be applied in the working directory.
 * @param changes with paths relative to it, with `/`; one that changes nothing adds nothing
 */
export const patchOf = (changes: readonly Change[]): string => changes.map(filePatch).join('');

function filePatch({ path, before, after }: Change): string {
  if (before === after) return '';
  const patch = structuredPatch(path, path, before, after, undefined, undefined, { context });
  // No `diff --git` line: with it git would take the paths as relative to the root of the repository.
  return `--- ${quoted(`a/${path}`)}\n+++ ${quoted(`b/${path}`)}\n${formatPatch(patch, OMIT_HEADERS)}`;
}

/** A name as git writes it: one with spaces ends with a tab, one with anything unusual is quoted as in C, byte by byte. */
function quoted(name: string): string {
  if (!/[^ -~]|["\\]/.test(name)) return name.includes(' ') ? `${name}\t` : name;
  const bytes = [...Buffer.from(name)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') return `\\${character}`;
    return byte >= 0x20 && byte < 0x7f ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${bytes.join('')}"`;
}
