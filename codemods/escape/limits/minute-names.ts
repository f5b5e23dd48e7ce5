/** Limits per minute by what they are called: `requestsPerMinute: 60`, `const RPM = 60`. Names alone also speak of units, of speeds and of a grid of time. */
import type { Expression, PatternName, PropertyNode } from '../../syntax/tree.ts';

const perMinute = /per_?min(?:ute)?s?$|^rpm$|minute_?limit|limit_?per_?min/i;
/** `MILLISECONDS_PER_MINUTE`, `wordsPerMinute`, `price_per_minute`: units, speeds and prices. */
const otherThings = /(?:seconds?|secs?|(?:^|_)ms|words|characters|chars|beats|frames|prices?|costs?|fees?|cents)_?per_?min/i;
/** What an object holds that is a limit in turn: `perMinute: { max: 60 }`. */
const limits = /limit|max|count|quota|requests|calls|points|tokens|capacity/i;

export const isMinuteLimit = (name: string): boolean => perMinute.test(name) && !otherThings.test(name);

/** @returns the name that says so of a property or a variable */
export function minuteLimitIn(node: PropertyNode | PatternName): string | undefined {
  const { name } = node;
  if (name === undefined || !isMinuteLimit(name)) return undefined;
  const value = node.kind === 'property' ? node.value : node.parent?.kind === 'variable' ? node.parent.init : undefined;
  // `{ perMinute }`: what it is says its declaration.
  if (value?.kind === 'name' && value.name === name) return undefined;
  return value !== undefined && isNoLimit(value) ? undefined : name;
}

/** Whether a value is no number, nor may be one: `null` for none, a title, the format of an axis, what asks a database. */
function isNoLimit(value: Expression): boolean {
  switch (value.kind) {
    case 'literal':
      return typeof value.value !== 'number' && value.value !== true;
    case 'string':
      return !/\d/.test(value.value);
    case 'object':
      return value.properties.every((each) => each.kind === 'property' && !limits.test(each.name ?? '') && !isNumber(each.value));
    case 'call': {
      const { callee } = value;
      const name = callee.kind === 'name' ? callee.name : callee.kind === 'member' ? (callee.property ?? '') : '';
      return asking.test(name) && value.args.every((arg) => arg.kind === 'name' || arg.kind === 'member');
    }
    // `sent / minutes`: what was measured.
    case 'binary':
      return value.operator === '/' && value.right.kind !== 'literal';
    default:
      return false;
  }
}

const isNumber = (value: Expression): boolean => value.kind === 'literal' && typeof value.value === 'number';

/** `getMinutelyTimeseries(db)` */
const asking = /(?:series|stats|metrics|usage|history|query|aggregates?)$/i;
