import type { Place } from '../../evaluate/budget.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Node } from '../../syntax/tree.ts';
import type { Change } from '../../verdict/changes/spans.ts';

/** A value on its way out of an expression. */
export interface Propagation {
  /** Where it was named. */
  readonly from: Place;
  readonly module: SourceModule;
  /** What has it now. */
  node: Node;
  carried: readonly Change[];
  /** Whether it leads to a request. */
  isCovered: boolean;
  /** Whether it was made to something else than it was named as. */
  isMade: boolean;
  /** Whether nothing but the way there says that it has it: the evaluation does not know what it is. */
  isLost: boolean;
}
