/** The edits that stand where a value is written, whatever it is made of besides. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { urlOfPath } from '../../evaluate/language/url-taken-apart.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { placeOfPart } from '../../evaluate/values/text.ts';
import { type Entry, type Part, partsOf, type Value } from '../../evaluate/values/values.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import type { Change } from '../../verdict/changes/spans.ts';

export class WrittenEdits {
  readonly #changes: ChangesByPlace;

  constructor(changes: ChangesByPlace) {
    this.#changes = changes;
  }

  within(module: SourceText, from: number, to: number): readonly Change[] {
    return this.#changes.at(module, from, to).filter(({ start, end }) => from < end && start < to);
  }

  /** What is read from the environment may be followed, too: a copy of what is edited where the variable is set. A helper reads any at one place. */
  inVariable(value: Value): readonly Change[] {
    if (value.type !== 'env') return [];
    const { node, module, name } = value;
    return this.within(module, node.start, node.end).filter(
      ({ start, end, text }) => text === name || start !== node.start || end !== node.end,
    );
  }

  /** The path of an address has the version with it: `new URL(process.env.API_URL).pathname`. */
  inUnknown(value: Value): readonly Change[] {
    const url = urlOfPath(value);
    return url === undefined ? this.inVariable(value) : partsOf(url).flatMap((part) => this.inText(part));
  }

  inText(part: Part | undefined): readonly Change[] {
    if (part !== undefined && 'unknownPart' in part) return this.inUnknown(part.unknownPart);
    const at = placeOfPart(part);
    return at === undefined ? [] : this.within(at.module, at.start, at.end);
  }

  /** The key of an entry, and a name that is written out where a constant says it. */
  inName(entry: Entry): readonly Change[] {
    const { name, key, node, module, valueNode } = entry;
    if (!isKeyHeader(name)) return this.inText(key);
    const [from, to] = node.kind === 'property' ? [node.keyStart, node.keyEnd] : [node.start, valueNode?.start ?? node.end];
    return [...this.inText(key), ...this.within(module, from, to).filter(({ what }) => what === 'header name')];
  }
}
