/** What an heir that copies something into itself, `Object.assign(this, options)`, is not seen to put over a member: it leaves the one that it inherits. */
import type { Value } from '../values/values.ts';

/** What nobody put there. */
export const absent: Value = { type: 'literal', value: undefined };
export const isGiven = (value: Value): boolean => !(value.type === 'literal' && value.value === undefined);

/** Whether it may be that nothing is put there: a name that an object is not seen to have may be one of its methods, too. */
export const isLeftInherited = (value: Value): boolean =>
  !isGiven(value) || value.type === 'unknown' || value.type === 'param' || (value.type === 'method' && value.receiver.type === 'object');
