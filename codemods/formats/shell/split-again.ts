/** What reads the words of a command once more, as the far end of ssh does: quotes and backslashes around them are gone by then, and a blank ends a word. */
import type { Text } from '../text.ts';
import { starting } from './others.ts';

/** What starts the command behind it with the words that it was given. */
const handing = /^@?(?:docker|docker-compose|podman|kubectl|xargs)$/;

/** What gives a shell the text that it is given, or the one that it makes of several words. */
const reading = /^@?(?:.*\/)?(?:sh|bash|zsh|dash|ssh|eval|su|watch|parallel|retry)$/;

/** Whether the words of a command behind these may be split: by what is known to do so, and by what nobody here knows. */
export function mayBeSplitBehind(words: readonly Text[]): boolean {
  const [first] = words;
  if (first === undefined) return false;
  return !(handing.test(first.value) || starting.test(first.value)) || words.some(({ value }) => reading.test(value));
}

/** Whether a text that is a command itself goes through one shell more than the one that it is written for. */
export const isReadTwice = (words: readonly Text[]): boolean => words.filter(({ value }) => reading.test(value)).length !== 1;
