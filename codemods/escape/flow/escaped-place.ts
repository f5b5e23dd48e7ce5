/** Where an edited value gets to what is not followed. */
import type { Place } from '../../evaluate/budget.ts';
import type { EscapeWay } from '../../model.ts';
import type { Change } from '../../verdict/changes/spans.ts';

/** A place through which an edited value reaches code that is not followed. */
export interface EscapedPlace extends Place {
  readonly change: Change;
  /** How it gets out, and where. */
  readonly way?: EscapeWay;
  readonly out?: Place;
  /** The host that is asked there instead of ours. */
  readonly host?: string;
  /** Where most steps were spent, if there were too many to find out where the value goes. */
  readonly expensive?: Place;
}
