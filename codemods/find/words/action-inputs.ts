/** Inputs of GitHub's actions: an action reads each from a variable, which its runner sets to what a workflow gives it, or to its default. */

/** `INPUT_API-URL` of the input `api-url`. */
export const variableOfInput = (input: string): string => `INPUT_${input.replaceAll(' ', '_').toUpperCase()}`;

/** The input that a variable stands for, in capitals and with `_` for blanks; undefined for others. */
export const inputOf = (variable: string): string | undefined =>
  variable.startsWith('INPUT_') ? variable.slice('INPUT_'.length) : undefined;
