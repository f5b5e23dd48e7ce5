/** Three dots that stand in a document's code for what is left out: `{ method: 'POST', ... }`, `body: ...,`. No parser takes these. */

/** Dots that nothing is spread behind: the rest of a line, of a list, of an object or of what is given. */
const leftOut = /(?<before>[=:?&|]\s*|\breturn\s+|=>\s*)?(?<![\w$.])(?<dots>\.{3}|…)(?=[ \t]*(?:[)}\],;]|$|\/\/))/gm;

/** The same code, as long as it was, with blanks for what is left out, or a name where something has to stand. */
export const withoutLeftOut = (code: string): string =>
  code.replaceAll(leftOut, (_, before: string | undefined, dots: string) =>
    before === undefined ? ' '.repeat(dots.length) : before + '_'.repeat(dots.length),
  );
