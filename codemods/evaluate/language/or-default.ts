/** Defaults: `env.URL ?? 'https://…'`, `z.string().default('https://…')`. */
import type { ParamNode } from '../../syntax/tree.ts';
import type { At } from '../evaluation.ts';
import { givenIn } from '../libraries/given.ts';
import { isTest } from '../libraries/test-files.ts';
import { choiceOf, nothing, optionsOf, plainText, type Value } from '../values/values.ts';

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

/** What something is where a property is read of it, which throws of what is missing: what a name holds at first is not meant, `let settings = null`. */
export function there(object: Value): Value {
  const options = optionsOf(object);
  const found = options.filter((option) => !isNullish(option));
  return found.length === options.length || found.length === 0 ? object : choiceOf(found);
}

/**
 * `settings.url ?? 'https://api.example.com/v1'`, where another file says what is set, and it is the same host: a build without that file, or a test that puts
 * something in its place, has the default, which goes where the settings go.
 */
export function orSameHost(found: readonly Value[], at: At, otherwise: () => Value): Value {
  const hosts = found.flatMap((value) => (isWrittenElsewhere(value, at) ? (hostIn(value) ?? []) : []));
  if (hosts.length === 0) return nothing;
  return choiceOf(optionsOf(otherwise()).filter((option) => hosts.includes(hostIn(option) ?? '')));
}

const hostIn = (value: Value): string | undefined => URL.parse(plainText(value) ?? '')?.host || undefined;

const isWrittenElsewhere = (value: Value, { module }: At): boolean =>
  value.type === 'text' &&
  value.parts.some((part) => 'text' in part && part.source !== undefined && part.source.module !== module && !isTest(part.source.module));

/** Whether a default speaks for a value: what whoever runs the program gives it, or what nobody is seen to give to a function. */
export function isLeftToDefault(given: Value): boolean {
  if (given.type === 'env' || givenIn(given) !== undefined) return true;
  const of = given.type === 'method' ? given.receiver : given;
  if (given.why === 'assigned' || of.type !== 'unknown' || of.why !== 'call' || of.node?.kind !== 'param') return false;
  return of !== given || !isOfCallback(of.node);
}

/** `bus.on('region', (host) => contacts(host))`: whoever calls that gives it something, or it would not be taken. */
const isOfCallback = ({ target, parent: fn, isRest }: ParamNode): boolean =>
  target.kind === 'patternName' &&
  !isRest &&
  fn?.kind === 'function' &&
  fn.parent?.kind === 'call' &&
  fn.parent.callee !== fn &&
  !fn.parent.isNew;
