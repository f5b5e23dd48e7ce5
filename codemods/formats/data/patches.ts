/** Patches that a Kustomization holds as texts: what one sets is read as if it stood in a file of its own. */
import type { Text } from '../text.ts';
import { type Data, type Scalar, scalar, textOf, withScalars } from './tree.ts';
import { parseYaml } from './yaml.ts';

const kustomization = /(?:^|\/)kustomization\.ya?ml$/i;

/** A file with its patches in the place of their texts. */
export function withPatches(root: Data, file: string): Data {
  const isOne = kustomization.test(file) || (root.kind === 'map' && textOf(root, /^kind$/)?.value === 'Kustomization');
  return isOne ? withScalars(root, inPlace) : root;
}

function inPlace(data: Scalar, key: string): Data {
  if (!/^patch(?:esStrategicMerge)?$/.test(key)) return data;
  const { text } = data;
  // Between double quotes there are escapes within escapes.
  if (text === undefined || text.marks.includes('e')) return data;
  const items = parseYaml(text.value).roots.filter(({ kind }) => kind === 'map' || kind === 'list');
  return items.length === 0 ? data : { kind: 'list', start: data.start, end: data.end, items: items.map((item) => placed(item, text)) };
}

/** What was read of a text, at its places in the file. */
function placed(data: Data, text: Text): Data {
  const within = (item: Data): Data => placed(item, text);
  const place = { start: offsetIn(text, data.start), end: offsetIn(text, data.end) };
  if (data.kind === 'scalar') return placedText(data, text);
  if (data.kind === 'list') return { ...data, ...place, items: data.items.map(within) };
  if (data.kind === 'opaque') return { ...data, ...place };
  return { ...data, ...place, entries: data.entries.map(({ key, value }) => ({ key: placedText(key, text), value: within(value) })) };
}

function placedText(inner: Scalar, text: Text): Scalar {
  const place = { start: offsetIn(text, inner.start), end: offsetIn(text, inner.end) };
  return scalar(place, inner.value, () => inner.text && { ...inner.text, at: inner.text.at.map((index) => offsetIn(text, index)) });
}

const offsetIn = ({ at }: Text, index: number): number => at[index] ?? (at.at(-1) ?? 0) + 1;
