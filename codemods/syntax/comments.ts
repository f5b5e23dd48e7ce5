/** Comments by a text alone: of those in code the tree has only what is addressed to the tool. */

/** Whether a place in a script stands behind a comment's beginning, as far as its line tells. */
export const isComment = (text: string, at: number): boolean =>
  /(?:^|[^:])\/\/|\/\*(?!.*\*\/)|^\s*\*/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
