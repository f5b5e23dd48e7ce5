/** Comments by a text alone: of those in code the tree has only what is addressed to the tool. */

/** Whether a place in a script stands behind a comment's beginning, as far as its line tells. */
export const isComment = (text: string, at: number): boolean =>
  /(?:^|[^:])\/\/|\/\*(?!.*\*\/)|^\s*\*/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));

/** Whether it stands in a comment of several lines that has no mark of its own on this one; what such a place is a text of, the tree says. */
export function isInBlock(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - longestBlock), at);
  const [begin] = [...before.slice(before.lastIndexOf('*/') + 1).matchAll(/^[ \t]*\/\*/gm)];
  return begin !== undefined;
}

/** In characters. */
const longestBlock = 4_000;
