/** Texts for people: what stands behind words in a sentence is no address that anybody asks for. */
import type { Place } from '../../evaluate/budget.ts';
import { flat, sliceParts } from '../../evaluate/text.ts';
import { type Part, partsOf } from '../../evaluate/values.ts';
import type { Change } from '../../verdict/spans.ts';
import type { DataflowQuery } from './dataflow-query.ts';

/**
 * Two words and white space before a path without a host: `Preparing to issue GET /v1/contacts`. A method and a path alone may be what a router takes, what
 * begins with a small letter a command, and what is written in capitals a query.
 */
const sentence = /^[A-Z][a-z]+ [a-z]+(?: [^\n]*)? \/$/;
const forPrograms = /:\/\/|["'`<>{}|;$]|^(?:Select|Insert|Update|Delete|Create|Link|Run|Set)\b/;

/** Whether all of what a place may be that has an edit are texts that say it in a sentence. */
export function isInSentence(query: DataflowQuery, { node, module }: Place, change: Change): boolean {
  const having = query.values({ node, module }).filter((value) => query.carriedBy([value]).includes(change));
  return having.length > 0 && having.every((value) => value.type === 'text' && isSaid(partsOf(value), change));
}

function isSaid(parts: readonly Part[], { module, start, end }: Change): boolean {
  let offset = 0;
  for (const part of parts) {
    const source = 'text' in part ? part.source : undefined;
    const length = 'text' in part ? part.text.length : 1;
    if (source?.module === module && 'text' in part && source.start <= start && end <= source.start + length) {
      const before = flat(sliceParts(parts, 0, offset + start - source.start));
      if (!sentence.test(before) || forPrograms.test(before)) return false;
    }
    offset += length;
  }
  return true;
}
