/** Texts in which what stands in braces is put in by a platform: `https://…/messages/{{bundle.inputData.id}}`. */
import { flat, sliceParts } from '../../evaluate/text.ts';
import { type Part, partsOf, unknown, type Value } from '../../evaluate/values.ts';

/** @param from where the text begins, behind what only marks it */
export function withBraces(value: Value, from = 0): Value {
  const parts = partsOf(value);
  const text = flat(parts);
  const made: Part[] = [];
  let at = from;
  for (const { index, 0: found } of text.matchAll(/\{\{.*?\}\}/g)) {
    made.push(...sliceParts(parts, at, index), { unknownPart: value.type === 'text' ? unknownTextPart(value) : value });
    at = index + found.length;
  }
  return { type: 'text', parts: [...made, ...sliceParts(parts, at, text.length)] };
}

function unknownTextPart(text: Extract<Value, { type: 'text' }>): Value {
  const part = text.parts.find((each) => 'text' in each && each.source !== undefined);
  const source = part !== undefined && 'text' in part ? part.source : undefined;
  return source === undefined ? text : unknown(source.node, source.module);
}
