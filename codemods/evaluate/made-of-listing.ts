/** Objects that are made anew of all names and values of another: `Object.fromEntries(headers.entries())`. */
import type { Expression, SpreadNode } from '../syntax/tree.ts';
import { isNamed } from './copies.ts';
import type { At, Evaluation } from './evaluation.ts';
import { optionsOf, type Value } from './values.ts';

/** The object that is gone through, where all that it has is handed on, be it without what has no value: what else it may have it may have anew. */
export function madeOfListing(ev: Evaluation, pairs: Expression | SpreadNode | undefined, at: At): Value | undefined {
  const of = pairs === undefined || pairs.kind === 'spread' ? undefined : listedIn(pairs, at);
  const value = of && ev.evaluate(of, at);
  return value !== undefined && optionsOf(value).every(({ type }) => type === 'object') ? value : undefined;
}

function listedIn(pairs: Expression, at: At): Expression | undefined {
  if (pairs.kind === 'array') {
    const [all, more] = pairs.elements;
    return all?.kind === 'spread' && more === undefined ? (listedIn(all.argument, at) ?? all.argument) : undefined;
  }
  if (pairs.kind !== 'call' || pairs.callee.kind !== 'member') return undefined;
  const { args, callee } = pairs;
  const [first] = args;
  if (callee.property === 'filter') return isAboutPresence(first, at) ? listedIn(callee.object, at) : undefined;
  if (isNamed(pairs, 'Object', 'entries') || isNamed(pairs, 'Array', 'from'))
    return first === undefined || first.kind === 'spread' || args.length > 1 ? undefined : (listedIn(first, at) ?? first);
  return callee.property === 'entries' && first === undefined ? callee.object : undefined;
}

/** `([, value]) => value !== undefined`: what is there has all that it had, whatever its name and value are. */
function isAboutPresence(fn: Expression | SpreadNode | undefined, { module: { scopes, text } }: At): boolean {
  const [pair, more] = fn?.kind === 'function' ? fn.params : [];
  if (fn?.kind !== 'function' || pair?.target.kind !== 'arrayPattern' || more !== undefined) return false;
  const [name, value] = pair.target.elements.map((each) => (each?.target.kind === 'patternName' && !each.isRest ? each.target : undefined));
  const isUnused = name === undefined ? pair.target.elements[0] === undefined : scopes.declaredBy(name)?.references.length === 0;
  const asked = fn.body === undefined ? '' : text.slice(fn.body.start, fn.body.end);
  return isUnused && value !== undefined && asked.replaceAll(new RegExp(`\\b${value.name}\\b`, 'g'), '').match(presence) !== null;
}

const presence = /^(?:\s*(?:!!|Boolean\(\))?\s*(?:!==?\s*(?:null|undefined|''|""))?\s*(?:&&|$))+$/;
