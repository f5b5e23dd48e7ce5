/** The parts in which Postman keeps a URL beside its `raw` form: all of them change with it, or nothing does. */
import type { SpanEdit } from '../candidate-edit.ts';
import type { FindingCode } from '../../model.ts';
import { overlap } from '../text.ts';
import type { World } from '../ownership.ts';
import { type DataMap, type Scalar, childrenOf, entryOf, listOf, textOf } from './tree.ts';

/**
 * @param raw the whole URL as one text
 * @param edits what is changed, in `raw` and elsewhere
 * @returns what stands against it where the parts do not tell the same
 */
export function urlPartEdits(url: DataMap, raw: Scalar, edits: readonly SpanEdit[], { source, bases }: World): SpanEdit[] | FindingCode {
  const inRaw = edits.filter((edit) => overlap(edit, raw));
  const parts: SpanEdit[] = [];
  const rawText = raw.text?.value ?? '';
  for (const edit of inRaw) {
    if (edit.text === 'v2') {
      const before = rawText.slice(0, (raw.text?.at.indexOf(edit.start) ?? 0) - 1).replace(/^[a-z]+:\/\//i, '');
      const part = listOf(url, /^path$/)[before.split('/').length - 1];
      if (part?.kind !== 'scalar' || part.value !== 'v1') return 'base-split';
      parts.push({ start: part.start + 1, end: part.end - 1, text: 'v2', what: 'path' });
    } else if (edit.what === 'base' && bases.v2 !== undefined) {
      const host = hostEdits(url, source.slice(edit.start, edit.end), bases.v2, source);
      if (host === undefined) return 'base-split';
      parts.push(...host);
    }
  }
  return parts;
}

function hostEdits(url: DataMap, from: string, to: string, source: string): SpanEdit[] | undefined {
  const [old, next] = [new URL(from), new URL(to)];
  const hosts = childrenOf(entryOf(url, /^host$/)?.value ?? { kind: 'opaque', start: 0, end: 0 });
  const [first, second] = hosts;
  const last = hosts.at(-1);
  const written = hosts.map((part) => (part.kind === 'scalar' ? part.value : '')).join('.');
  // Ports and folders of a base stand in parts of their own, which may have to come or go.
  if (
    first === undefined ||
    last === undefined ||
    written !== old.hostname ||
    old.port !== '' ||
    next.port !== '' ||
    old.pathname !== next.pathname
  )
    return undefined;
  const between = second === undefined ? ', ' : source.slice(first.end, second.start);
  const text = next.hostname
    .split('.')
    .map((part) => JSON.stringify(part))
    .join(between);
  const protocol = textOf(url, /^protocol$/);
  const scheme = next.protocol.slice(0, -1);
  const changed = protocol !== undefined && protocol.value !== scheme ? [protocol] : [];
  return [
    { start: first.start, end: last.end, text, what: 'base' },
    ...changed.map(({ start, end }): SpanEdit => ({ start: start + 1, end: end - 1, text: scheme, what: 'base' })),
  ];
}
