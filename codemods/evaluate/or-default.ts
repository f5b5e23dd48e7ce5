/** Defaults: `env.URL ?? 'https://…'`, `z.string().default('https://…')`. */
import { choiceOf, plainText, type Value } from './values.ts';

/** A value, or what stands in its place where it is missing; a variable remembers its only default. */
export function orDefault(value: Value, otherwise: Value): Value {
  // `env.URL ?? null` says no more than `env.URL`.
  if (value.type === 'env' && isNullish(otherwise)) return value;
  const isItsOwn = value.type === 'env' && value.why === undefined && otherwise.type === 'text';
  return choiceOf([isItsOwn ? { ...value, otherwise } : value, otherwise]);
}

/** `options.url ?? env.URL ?? ''`: whichever of them is a variable has the empty default, which is no other's host. */
export const orEmpty = (values: readonly Value[], otherwise: Value): readonly Value[] =>
  otherwise.type === 'text' && plainText(otherwise) === ''
    ? values.map((value) => (value.type === 'env' && value.otherwise === undefined ? { ...value, otherwise } : value))
    : values;

export const isNullish = (value: Value): boolean => value.type === 'literal' && (value.value === undefined || value.value === null);
