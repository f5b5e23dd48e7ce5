/** Any text at all. */
import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };
const last = 0x10ffff;

/** As `binary` of fast-check, which writes a table of all million code points first, to find out which of them a text has. */
const codePoint = fc.nat(last - surrogates.count).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (value) => {
    const [character, ...more] = typeof value === 'string' ? value : [];
    if (character === undefined || more.length > 0 || !character.isWellFormed()) throw new Error('This is no code point');
    const point = character.codePointAt(0) ?? 0;
    return point < surrogates.first ? point : point - surrogates.count;
  },
);

/** Texts of all code points but lone surrogates. */
export const anyText = (lengths: { readonly minLength?: number; readonly maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ unit: codePoint, ...lengths });
