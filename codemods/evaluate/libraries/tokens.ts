/** What tells the names and tokens under which things are put from each other. */
import type { At, Evaluation } from '../evaluation.ts';
import { isMissing } from './asked-for.ts';
import type { SourceModule } from '../module.ts';
import type { CallNode, Expression, Node, PatternName } from '../../syntax/tree.ts';
import { type ObjectValue, plainText, unknown, type Value } from '../values/values.ts';

/** A name, or what gives it or a token: a symbol, a class, a context; of a type the name that it is declared by. */
export type Key = string | Expression | PatternName;

export type Token = string | Node | undefined;

/** What tells a name or token from others. */
export function tokenOf(ev: Evaluation, key: Key, module: SourceModule): Token {
  if (typeof key === 'string' || key.kind === 'string') return `'${typeof key === 'string' ? key : key.value}`;
  return tokenOfValue(ev, key, keyValue(ev, key, { module, frame: undefined }), module);
}

export function tokenOfValue(ev: Evaluation, key: Expression | PatternName, value: Value, module: SourceModule): Token {
  const text = plainText(value);
  if (text !== undefined) return `'${text}`;
  if (value.type === 'external') return `${value.source}:${value.path.join('.')}`;
  const named = namedOf(ev, key, value, { module, frame: undefined });
  if (named !== undefined) return named.node;
  // What else a call gives may be any name.
  return value.type === 'unknown' && !(value.node?.kind === 'call' && makesToken(value.node)) ? undefined : identityOf(value);
}

export function keyValue(ev: Evaluation, key: Expression | PatternName, at: At): Value {
  if (key.kind !== 'patternName') return ev.evaluate(key, at);
  const binding = at.module.scopes.declaredBy(key);
  return binding === undefined ? unknown(key, at.module) : ev.binding(binding, at);
}

/** The node that makes a symbol, a class, a context or a container, each time it is asked for the same. */
export function identityOf(value: Value): Token {
  switch (value.type) {
    case 'class':
    case 'function':
    case 'object':
      return value.node;
    case 'instance':
      return value.of.node;
    case 'unknown':
      return value.node?.kind === 'call' ? (sharedSymbol(value.node) ?? value.node) : undefined;
    default:
      return undefined;
  }
}

/** `Symbol('messaging')`, `createContext(null)`, `new InjectionToken('messaging')` */
function makesToken({ callee }: CallNode): boolean {
  const name = callee.kind === 'member' ? (callee.property === 'for' ? callee.object : callee) : callee;
  return /^(?:Symbol|create\w*Context|\w*Token)$/.test(
    name.kind === 'name' ? name.name : name.kind === 'member' ? (name.property ?? '') : '',
  );
}

/** `Symbol.for('messaging')` is the same wherever it stands. */
function sharedSymbol({ callee, args: [name] }: CallNode): string | undefined {
  const isShared =
    callee.kind === 'member' && callee.property === 'for' && callee.object.kind === 'name' && callee.object.name === 'Symbol';
  return isShared && name?.kind === 'string' ? `Symbol.for ${name.value}` : undefined;
}

/** `messagingConfig.KEY`: a name that a library adds to what it is given, and of nothing else. */
export function namedOf(ev: Evaluation, key: Expression | PatternName, value: Value, at: At): ObjectValue | undefined {
  const of = key.kind === 'member' && isMissing(value) ? ev.evaluate(key.object, at) : undefined;
  return of?.type === 'object' && of.unknown.length === 0 ? of : undefined;
}
