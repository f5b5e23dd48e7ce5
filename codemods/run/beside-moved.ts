/** What no call was seen to use, beside something that this run moves: it is told as that, for it may no longer fit. */
import type { Edit, Finding } from '../model.ts';

/** @param components the files that hang together by imports */
export function besideMoved(
  findings: readonly Finding[],
  edits: readonly Edit[],
  components: readonly (readonly { readonly file: string }[])[],
): readonly Finding[] {
  const edited = new Set(edits.map(({ file }) => file));
  const near = new Set([
    ...edited,
    ...components
      .filter((files) => files.some(({ file }) => edited.has(file)))
      .flat()
      .map(({ file }) => file),
  ]);
  return findings.map((each) =>
    each.code === 'unconsumed' && near.has(each.file) ? { ...each, detail: { ...each.detail, how: 'moved' } } : each,
  );
}
