/** Reads the JSON of answers that are compared: nothing is rounded, nothing can overflow the stack, and there is an end to it. */
import { parse } from 'lossless-json';
import { numberOf, WrittenNumber } from './numbers.ts';

/** Content that is no JSON. */
export const notJson: unique symbol = Symbol('no JSON');
/** Content that is nested too deeply, or has too many values, to be compared. */
export const tooLarge: unique symbol = Symbol('too large');

const maxDepth = 64;
const maxNodes = 10_000;

/**
 * The value of an answer's text; undefined where there is none. Of members with the same name the last counts, as with JSON.parse.
 * Numbers whose text matters are WrittenNumbers.
 */
export function parseAnswer(text: string): unknown {
  const first = /[^ \t\r\n]/.exec(text)?.[0];
  if (first === undefined) return undefined;
  if (!/[{["\-\dtfn]/.test(first)) return notJson;
  if (isTooLarge(text)) return tooLarge;
  try {
    const value: unknown = parse(text, null, { parseNumber: numberOf, onDuplicateKey: ({ newValue }) => newValue });
    return isWithinBounds(value) ? value : tooLarge;
  } catch {
    // A syntax error; its message may quote the text.
    return notJson;
  }
}

/** Before anything is made of it: brackets that are open at once, and commas, which are fewer than values. */
function isTooLarge(text: string): boolean {
  let [depth, commas] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') {
      index = endOfText(text, index);
    } else if (character === '{' || character === '[') {
      if (++depth > maxDepth) return true;
    } else if (character === '}' || character === ']') {
      depth--;
    } else if (character === ',' && ++commas > maxNodes) {
      return true;
    }
  }
  return false;
}

/** Where the text ends that begins at an index. */
function endOfText(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !isList(value) && !(value instanceof WrittenNumber);
}

/** Whether a value is small enough for what follows to go down into it by recursion. */
export function isWithinBounds(root: unknown): boolean {
  let nodes = 1;
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    const below: unknown[] = [];
    for (const value of level) {
      if (!isList(value) && !isObject(value)) continue;
      if (depth === maxDepth) return false;
      const inner = isList(value) ? value : Object.values(value);
      nodes += inner.length;
      if (nodes > maxNodes) return false;
      for (const item of inner) below.push(item);
    }
    level = below;
  }
  return true;
}

/** Whether two values within bounds are written the same, but for the order of members: most answers are, and this is soon told. */
export function isSame(v1: unknown, v2: unknown): boolean {
  if (v1 === v2) return true;
  if (isList(v1)) return isList(v2) && v1.length === v2.length && v1.every((item, index) => isSame(item, v2[index]));
  if (!isObject(v1) || !isObject(v2)) return false;
  const names = Object.keys(v1);
  return names.length === Object.keys(v2).length && names.every((name) => Object.hasOwn(v2, name) && isSame(v1[name], v2[name]));
}
