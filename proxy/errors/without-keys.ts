/** Keys in v2's errors. */
import { reveals } from '../revealing.ts';
import { type V2Error, isRecord } from './read.ts';

/** What v2's error says as far as it quotes no key: messages end up in logs, and with a key map the client must not learn the v2 key. */
export function withoutKeys(error: V2Error, v1Key: string, v2Key: string): V2Error {
  const { message, code, json } = error;
  const quotes = (text: string | undefined): boolean => text !== undefined && (reveals(text, v1Key) || reveals(text, v2Key));
  const isHidden = v1Key !== v2Key && mayReveal(textsIn(json), v2Key);
  if (!quotes(message) && !quotes(code) && !isHidden) return error;
  return {
    ...(message === undefined || quotes(message) ? {} : { message }),
    ...(code === undefined || quotes(code) ? {} : { code }),
    ...(json === undefined || isHidden ? {} : { json }),
  };
}

/**
 * Characters of an error in all that are looked through for a key: several times what errors have, contacts included. At the worst it takes
 * 0.3 µs for each, in which no other call is answered, and what v2 quotes a client may have made up for that.
 */
const maxLookedThrough = 16 * 1024;

const mayReveal = (texts: readonly string[], key: string): boolean =>
  texts.reduce((sum, { length }) => sum + length, 0) > maxLookedThrough || texts.some((text) => reveals(text, key));

/** The names and the texts of a JSON value; without recursion, which a parser may bear deeper than this would. */
function textsIn(json: unknown): string[] {
  const texts: string[] = [];
  const left = [json];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') texts.push(value);
    else if (isRecord(value)) for (const [name, item] of Object.entries(value)) left.push(name, item);
  }
  return texts;
}
