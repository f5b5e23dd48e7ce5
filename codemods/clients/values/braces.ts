/** Texts in which what stands in braces is put in by a platform: `https://…/messages/{{bundle.inputData.id}}`. */
import { concatenated, flat, sliceParts } from '../../evaluate/values/text.ts';
import { partsOf, unknown, type Value } from '../../evaluate/values/values.ts';

/** What is put in for some of what stands in placeholders, where that is known; `textOf` gives a text that stands in one, as it is written there. */
type Given = (inside: string, textOf: (start: number, end: number) => Value) => Value | undefined;

/**
 * @param from where the text begins, behind what only marks it
 * @param given what the platform puts in
 */
export function withBraces(value: Value, from = 0, given: Given = () => undefined): Value {
  return withPlaceholders(value, /\{\{(?<inside>.*?)\}\}/g, from, given);
}

/** @param placeholder what is put in for, and within it what says by which name */
export function withPlaceholders(value: Value, placeholder: RegExp, from = 0, given: Given = () => undefined): Value {
  const parts = partsOf(value);
  const text = flat(parts);
  const made: Value[] = [];
  const slice = (start: number, end: number): Value => ({ type: 'text', parts: sliceParts(parts, start, end) });
  let at = from;
  for (const { index, 0: found, groups } of text.matchAll(placeholder)) {
    const inside = groups?.['inside']?.trim() ?? '';
    const begin = index + found.indexOf(inside);
    const put = given(inside, (start, end) => slice(begin + start, begin + end));
    made.push(slice(at, index), put ?? (value.type === 'text' ? unknownTextPart(value) : value));
    at = index + found.length;
  }
  return concatenated([...made, slice(at, text.length)]);
}

function unknownTextPart(text: Extract<Value, { type: 'text' }>): Value {
  const part = text.parts.find((each) => 'text' in each && each.source !== undefined);
  const source = part !== undefined && 'text' in part ? part.source : undefined;
  return source === undefined ? text : unknown(source.node, source.module);
}
