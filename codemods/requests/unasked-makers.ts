/**
 * What clients ask that somebody makes, whoever asks with them. Where those who make a client are not told apart, those who call its methods say which
 * instance they ask with; what nobody is seen to ask with may still be asked with by whoever gets it.
 */
import { isSame } from '../evaluate/values/same.ts';
import { textOf } from '../evaluate/values/text.ts';
import type { Request } from './requests.ts';

/**
 * @param ofMakers what clients ask, of which only the beginning and the headers are known
 * @param asked what is seen to be asked
 * @returns those of a beginning or with a header that nothing has which is seen to be asked
 */
export function unasked(ofMakers: readonly Request[], asked: readonly Request[]): Request[] {
  const begins = asked.flatMap(({ url: [first] = [] }) => (first === undefined ? [] : [textOf([first])]));
  const headers = new Set(asked.flatMap((each) => each.headers.map(({ node }) => node)));
  return ofMakers.filter(({ url: [first] = [], headers: own }) => {
    const isSeen = first === undefined || begins.some((begin) => isSame(begin, textOf([first])));
    return !isSeen || own.some(({ node }) => !headers.has(node));
  });
}
