/** What headers are compared with that a mock read of a request: see compared-search.ts. */
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { FunctionNode, Node, PatternProperty } from '../../../syntax/tree.ts';
import { type Compared, unvalued } from './compared.ts';
import { Search } from './compared-search.ts';

/** What a header's value is compared with; where it is only read, one comparison without an expression, as no value has to change. */
export function comparisonsOf(read: Node, at: At, ev: Evaluation): readonly Compared[] {
  const found = new Search(ev, at).run(read);
  return found.length > 0 ? found : [unvalued(read, at.module)];
}

/** What a function compares with that is given the value. */
export const comparisonsOfParam = (fn: FunctionNode, at: At, ev: Evaluation): readonly Compared[] => {
  const found = new Search(ev, at).runInto(fn);
  return found.length > 0 ? found : [unvalued(fn, at.module)];
};

/** What is compared of what a pattern takes: `const { 'x-api-key': key } = request.headers`. */
export const comparisonsOfTaken = (taken: PatternProperty, at: At, ev: Evaluation): readonly Compared[] => {
  const found = new Search(ev, at).runTaken(taken, taken.target, taken.default);
  return found.length > 0 ? found : [unvalued(taken, at.module)];
};
