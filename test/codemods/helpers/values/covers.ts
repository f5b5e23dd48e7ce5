/** Whether what a program really gives is among what the evaluator says: the rule that it must never break. */
import { optionsOf, type Part, partsOf, plainText, type Value } from '../../../../codemods/evaluate/values/values.ts';
import type { Place } from './render.ts';

const maxDepth = 5;

/**
 * @returns whether some alternative may be the concrete value. What is missing asks for nothing, and the evaluator leaves it out
 *   where something else may be there: it counts as covered.
 */
export function covers(value: Value, concrete: unknown, place: Place, depth = 0): boolean {
  if (concrete === undefined || concrete === null || concrete === false || depth > maxDepth) return true;
  return optionsOf(value).some((option) => coversOne(option, concrete, place, depth));
}

function coversOne(value: Value, concrete: unknown, place: Place, depth: number): boolean {
  switch (value.type) {
    case 'text':
      return coversText(partsOf(value), concrete);
    case 'literal':
      return String(value.value) === String(concrete);
    case 'object':
      return isObject(concrete) && coversObject(value, concrete, place, depth);
    case 'list':
      return (
        Array.isArray(concrete) &&
        (value.isOpen || value.items.length === concrete.length) &&
        value.items.every((item, index) => covers(item, concrete[index], place, depth + 1))
      );
    case 'function':
    case 'class':
      return typeof concrete === 'function';
    case 'instance':
    case 'namespace':
      return isObject(concrete);
    case 'env':
      return typeof concrete === 'string';
    case 'choice':
      return covers(value, concrete, place, depth);
    // What comes from elsewhere may be anything.
    default:
      return true;
  }
}

const isObject = (concrete: unknown): concrete is object => typeof concrete === 'object' || typeof concrete === 'function';

/** URLs and numbers are kept as their texts. */
function coversText(parts: readonly Part[], concrete: unknown): boolean {
  if ((typeof concrete === 'object' && !(concrete instanceof URL)) || typeof concrete === 'function') return false;
  const pattern = parts.map((part) => ('text' in part ? escaped(part.text) : patternOf(part.unknownPart))).join('');
  const text = String(concrete);
  const whole = new RegExp(`^${pattern}$`, 's');
  // A URL has a slash after its origin, whether somebody wrote one or not.
  return whole.test(text) || (concrete instanceof URL && whole.test(text.replace(/\/$/, '')));
}

function patternOf(unknownPart: Value): string {
  const texts = optionsOf(unknownPart).map(plainText);
  return texts.every((text) => text !== undefined) ? `(?:${texts.map(escaped).join('|')})` : '.*';
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

function coversObject(value: Extract<Value, { type: 'object' }>, concrete: object, { ev, call, module }: Place, depth: number): boolean {
  const entries = concrete instanceof Headers || concrete instanceof Map ? [...concrete] : Object.entries(concrete);
  const isOpen = value.unknown.length > 0 || value.entries.some(({ name }) => name === undefined);
  return entries.every(([name, each]) => {
    if (typeof name !== 'string') return true;
    const own = value.entries.find((entry) => entry.name === name || (concrete instanceof Headers && entry.name?.toLowerCase() === name));
    if (own?.name === undefined) return isOpen;
    return covers(ev.member(value, own.name, call, { module, frame: undefined }), each, { ev, call, module }, depth + 1);
  });
}
