/**
 * Names of headers that need no quotes any more. Formatters and their lint rules take quotes away that a key does not need (Prettier's `quoteProps`
 * and ESLint's `quote-props`, "as-needed" in both): a tree that was in order would otherwise not be so after the run.
 */
import { isDataFile } from '../find/kinds.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import { memoOf } from '../once.ts';
import { nodesOfKind } from '../syntax/link.ts';
import type { Change } from '../verdict/changes/spans.ts';

const isName = /^[A-Za-z_$][\w$]*$/;
const isQuote = /^['"]$/;

interface Key {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly name?: string;
}

/**
 * @returns the change with the quotes around the name, if these are only there for what it replaces; where the same object has others that it
 * does not need, they are how its author writes
 */
export function withoutQuotes(change: Change): Change {
  const { module, start, end, text, what } = change;
  if (what !== 'header name' || !isName.test(text) || !isQuote.test(module.text[start - 1] ?? '')) return change;
  const keys = keysBeside(module, start - 1, end + 1);
  return keys === undefined || keys.some((key) => key.keyStart !== start - 1 && isQuotedName(module, key))
    ? change
    : { ...change, start: start - 1, end: end + 1 };
}

/** The keys of the object, or of the pattern, of which one stands just here. */
const keysBeside = (module: SourceText, start: number, end: number): readonly Key[] | undefined =>
  // JSON has its keys in quotes.
  isScript(module) && !isDataFile.test(module.file) ? keysIn(module).get(`${start} ${end}`) : undefined;

/** By each of them, those of its object. */
const keysIn = memoOf(({ tree: { program } }: SourceModule): ReadonlyMap<string, readonly Key[]> => {
  const found = new Map<string, readonly Key[]>();
  for (const { properties } of [...nodesOfKind(program, 'object'), ...nodesOfKind(program, 'objectPattern')]) {
    const keys = properties.filter((each) => each.kind !== 'spread');
    for (const { keyStart, keyEnd } of keys) found.set(`${keyStart} ${keyEnd}`, found.get(`${keyStart} ${keyEnd}`) ?? keys);
  }
  return found;
});

const isQuotedName = ({ text }: SourceText, { keyStart, name }: Key): boolean =>
  name !== undefined && isName.test(name) && isQuote.test(text[keyStart] ?? '');
