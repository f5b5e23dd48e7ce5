/** What the words of nginx's directives say, as rules ask it. */
import type { Directive, Word } from '../../engines/nginx-directives.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { type Part, partsOf } from '../../evaluate/values/values.ts';

/** Where a directive stands: the blocks around it, the nearest first and the file as the last, and the groups of servers in the file. */
export interface Place extends At {
  readonly ev: Evaluation;
  readonly around: readonly Directive[];
  readonly upstreams: ReadonlyMap<string, Directive>;
}

/** The text of a word, each variable an unknown part. */
export const partsIn = (word: Word, { ev, module, frame }: Place): readonly Part[] => partsOf(ev.evaluate(word, { module, frame }));

/** The name of a variable of nginx: `request_uri`. */
export function variableIn(part: Part | undefined, { module }: Place): string | undefined {
  const value = part !== undefined && 'unknownPart' in part ? part.unknownPart : undefined;
  const node = value?.type === 'unknown' ? value.node : undefined;
  return node && /\w+/.exec(module.text.slice(node.start, node.end))?.[0];
}
