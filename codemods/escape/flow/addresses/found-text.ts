/** Where one address is looked for in another that is made of the same. */
import { flat, sliceParts } from '../../../evaluate/values/text.ts';
import type { Part } from '../../../evaluate/values/values.ts';

/** Whether an address begins with a text, or has it anywhere, by what stands at the same place: both move together. */
export function isFound(sought: readonly Part[], address: readonly Part[], isAnywhere: boolean): boolean {
  const [text, whole] = [flat(sought), flat(address)];
  const at = isAnywhere ? whole.indexOf(text) : whole.startsWith(text) ? 0 : -1;
  if (text === '' || at === -1) return false;
  // Clients put a slash of their own before a path.
  const first = text.startsWith('/') ? 1 : 0;
  const [wanted, found] = [sliceParts(sought, first, text.length), sliceParts(address, at + first, at + text.length)];
  return found.length === wanted.length && found.every((each, index) => isSamePart(each, wanted[index]));
}

/** Whether two parts are the same text of a file, or the same variable. */
function isSamePart(one: Part, other: Part | undefined): boolean {
  if (other === undefined) return false;
  if ('text' in one && 'text' in other)
    return one.text === other.text && one.source?.module === other.source?.module && one.source?.start === other.source?.start;
  return (
    'unknownPart' in one &&
    'unknownPart' in other &&
    one.unknownPart.type === 'env' &&
    other.unknownPart.type === 'env' &&
    one.unknownPart.name === other.unknownPart.name
  );
}
