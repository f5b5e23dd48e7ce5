/** Arbitrary texts with edits that do not overlap. */
import fc from 'fast-check';
import type { Replacement } from '../../../codemods/edit/splice.ts';

const line = fc.constantFrom('const a = 1;', "fetch('/v1/messages')", '', '\t// ü😀', ' ', '\\ x', '-- a', '@@ -1 +1 @@');
/** Lines with mixed ends, with or without a byte order mark and a last line that ends. */
export const text = fc
  .tuple(fc.constantFrom('', '\uFEFF'), fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r'))), line)
  .map(([mark, lines, last]) => mark + lines.flat().join('') + last);

const inserted = fc.constantFrom('', 'v2', 'a\nb', '\r\n', '`Bearer ${', 'ü');

export const edited = text.chain((before) =>
  fc
    .uniqueArray(fc.nat(before.length), { maxLength: 8 })
    .map((places) => places.toSorted((one, other) => one - other))
    .chain((places) => {
      const spans = places.slice(1).flatMap((end, index) => (index % 2 === 0 ? [{ start: places[index] ?? 0, end }] : []));
      return fc.record({
        before: fc.constant(before),
        edits: fc.tuple(...spans.map((span) => inserted.map((text): Replacement => ({ ...span, text })))),
      });
    }),
);
