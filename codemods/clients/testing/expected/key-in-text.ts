/** Where the key stands in a text that a test expects, as fakes note their calls down: `${method} ${url} ${headers['x-api-key']}`. */
import type { SourceModule } from '../../../evaluate/module.ts';
import { flat, sliceParts } from '../../../evaluate/values/text.ts';
import type { Entry, Part, TextValue, Value } from '../../../evaluate/values/values.ts';
import { escaped } from '../../../find/words/literals.ts';
import type { Expression, Node, TemplateNode } from '../../../syntax/tree.ts';

/** Where a fake puts the key into a text. */
export interface InText {
  readonly template: TemplateNode;
  /** Which of its expressions is the key. */
  readonly index: number;
}

/** Where blanks part it from all else, each of which has none: elsewhere nobody can tell where it begins. */
export function inTextOf(template: TemplateNode, key: Node): InText | undefined {
  const index = template.expressions.findIndex((each) => each === key);
  const between = template.texts.slice(1, -1);
  return index !== -1 && between.every(({ value }) => /\s/.test(value)) ? { template, index } : undefined;
}

/**
 * What is expected in the place of the key.
 * @param expected the text, at `node`
 * @returns undefined where it is not told from the rest
 */
export function keyIn(
  expected: Value,
  node: Expression,
  module: SourceModule,
  { template, index }: InText,
): Pick<Entry, 'value' | 'opening'> | undefined {
  if (expected.type !== 'text') return undefined;
  const { parts } = expected;
  const pattern = template.texts.map(({ value }, nth) => (nth === 0 ? '' : nth - 1 === index ? '(\\S+)' : '\\S*') + escaped(value));
  const [start, end] = new RegExp(`^${pattern.join('')}$`, 'd').exec(flat(parts))?.indices?.[1] ?? [];
  if (start === undefined) return undefined;
  const at = placeIn(sliceParts(parts, Math.max(start - 1, 0), Math.max(start, 1)), node, module);
  const key: TextValue = { type: 'text', parts: sliceParts(parts, start, end ?? start) };
  return at === undefined || isOfNone.test(flat(key.parts))
    ? undefined
    : { value: () => key, opening: { start: start === 0 ? at : at + 1, space: ' ' } };
}

/** What stands where a request has no key: it may have a token of its own there, once it is asked for that. */
const isOfNone = /^(?:undefined|null|none|no(?:ne|-key)?|missing|\W+)$/i;

/** Where a character stands, if that is in the expression itself. */
function placeIn([part]: readonly Part[], { start, end }: Node, module: SourceModule): number | undefined {
  const source = part !== undefined && 'text' in part ? part.source : undefined;
  return source?.isExact === true && source.module === module && source.start >= start && source.start < end ? source.start : undefined;
}
