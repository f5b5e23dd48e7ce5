/** Edits that leave a text the syntax that it has, whatever stands around them: who proves that an edited text parses need not parse these. */
import type { Replacement } from '../../edit/splice.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { ProgramNode, PropertyNode } from '../../syntax/tree.ts';

/**
 * @param edits all of one file
 * @returns those after which it may not parse: neither within a text, nor around the value of a property, nor another key for it
 */
export function mayBreak<Edit extends Replacement>(
  { text, tree: { program } }: Pick<SourceModule, 'text' | 'tree'>,
  edits: readonly Edit[],
): readonly Edit[] {
  const open = edits.filter((edit) => !isPlain.test(edit.text) || !isPlain.test(text.slice(edit.start, edit.end)));
  const harmless =
    open.length === 0 ? new Set<Replacement>() : new Set([...wrappingIn(program, text, open), ...renamingIn(program, text, open)]);
  const inside = textsIn(program, text);
  return edits.filter((edit) => {
    if (harmless.has(edit)) return false;
    const around = inside.find(({ start, end }) => start <= edit.start && edit.end <= end);
    return around === undefined || open.includes(edit) || /[\\$]/.test(text.slice(around.start, around.end));
  });
}

/** What ends no text, in whatever quotes, and has nothing filled in. */
const isPlain = /^[\w ./:-]*$/;

type Stretch = Pick<Replacement, 'start' | 'end'>;

/** What stands between quotes. */
const textsIn = (program: ProgramNode, text: string): Stretch[] => [
  ...nodesOfKind(program, 'string').flatMap((node) => (node.quote === '' ? [] : within(node.start, node.end))),
  ...nodesOfKind(program, 'template').flatMap(({ texts }) => texts),
  ...nodesOfKind(program, 'property').flatMap(({ keyStart, keyEnd }) =>
    isQuote.test(text[keyStart] ?? '') ? within(keyStart, keyEnd) : [],
  ),
];
const isQuote = /['"]/;
const within = (start: number, end: number): Stretch => ({ start: start + 1, end: end - 1 });

/** A whole value that a template takes in, `key` that becomes `Bearer ${key}`: both are one expression, and what follows a value may follow a template. */
function wrappingIn(program: ProgramNode, text: string, edits: readonly Replacement[]): ReadonlySet<Replacement> {
  const at = new Map(edits.flatMap((edit) => (edit.start === edit.end ? [[edit.start, edit] as const] : [])));
  return new Set(
    nodesOfKind(program, 'property').flatMap((property) => {
      const [before, behind] = [at.get(property.value.start), at.get(property.value.end)];
      const isWrapped = before !== undefined && behind !== undefined && beginsTemplate.test(before.text) && behind.text === '}`';
      return isWrapped && hasValue(property, text) ? [before, behind] : [];
    }),
  );
}

/** A whole key of a value that becomes another, be it `'x-api-key'` that needs no quotes any more: what may follow one may follow any. */
function renamingIn(program: ProgramNode, text: string, edits: readonly Replacement[]): readonly Replacement[] {
  const at = new Map(edits.flatMap((edit) => (isKey.test(edit.text) ? [[edit.start, edit] as const] : [])));
  return nodesOfKind(program, 'property').flatMap((property) => {
    const edit = at.get(property.keyStart);
    return edit?.end === property.keyEnd && hasValue(property, text) ? edit : [];
  });
}

const isKey = /^(?:[A-Za-z]\w*|(['"])[\w-]+\1)$/;

const beginsTemplate = /^`[\w ]*\$\{$/;

const hasValue = ({ shorthand, keyEnd, value }: PropertyNode, text: string): boolean =>
  !shorthand && /^\]?\s*:\s*$/.test(text.slice(keyEnd, value.start));
