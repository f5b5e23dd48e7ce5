/** Scripts in the JavaScript of before 2015, as pages without a build and old packages have them: what is written into them has to be so, too. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { memoOf } from '../../once.ts';

const comment = /\/\*[^]*?\*\/|(?<![:\\"'])\/\/.*$/gm;
const old = /\b(?:var\s|function\b)/;
const later =
  /`|=>|\.\.\.|\?\.(?!\d)|\?\?|\*\*|\b(?:const|let)\s+[\w$[{]|\bclass(?:\s+[\w$]+)*\s*\{|^\s*(?:import|export)\b|\basync\b|\bawait\s|\bfor\s*\([^;)]*\sof\s/m;
const isTyped = /\.(?:[cm]?tsx?|vue|svelte|astro)$/;

/** Whether a file has nothing that is newer: one that speaks of it in a text counts as newer. */
export const isOfOldScript = memoOf(({ file, text }: SourceText): boolean => {
  if (isTyped.test(file) || !old.test(text)) return false;
  return !later.test(text.replaceAll(comment, ''));
});
