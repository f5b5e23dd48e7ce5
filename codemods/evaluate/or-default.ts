/** Defaults: `env.URL ?? 'https://…'`, `z.string().default('https://…')`. */
import { choiceOf, type Value } from './values.ts';

/** A value, or what stands in its place where it is missing; a variable remembers its only default. */
export function orDefault(value: Value, otherwise: Value): Value {
  const isItsOwn = value.type === 'env' && value.why === undefined && otherwise.type === 'text';
  return choiceOf([isItsOwn ? { ...value, otherwise } : value, otherwise]);
}
