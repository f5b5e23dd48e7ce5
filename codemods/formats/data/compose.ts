/** Commands in files of Compose: two dollars are one, which is left to the shell of the container. */
import { join, slice, type Text } from '../text.ts';
import { scriptKeys } from './keys.ts';
import { type Data, scalar } from './tree.ts';

const compose = /(?:^|\/)(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/i;

/** A file with its commands as containers get them. */
export const withOwnVariables = (root: Data, file: string): Data => (compose.test(file) ? replaced(root, '') : root);

function replaced(data: Data, key: string): Data {
  if (data.kind === 'map') return { ...data, entries: data.entries.map(({ key, value }) => ({ key, value: replaced(value, key.value) })) };
  if (data.kind === 'list') return { ...data, items: data.items.map((item) => replaced(item, key)) };
  if (data.kind !== 'scalar' || !scriptKeys.test(key) || !data.value.includes('$$')) return data;
  return scalar(data, data.value.split('$$').join('$'), () => data.text && withOne(data.text));
}

function withOne(text: Text): Text {
  const parts: Text[] = [];
  let from = 0;
  for (const { index } of text.value.matchAll(/\$\$/g)) {
    parts.push(slice(text, from, index + 1));
    from = index + 2;
  }
  return join([...parts, slice(text, from)]);
}
