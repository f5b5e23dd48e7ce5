/** Commands in files of Compose: two dollars are one, which is left to the shell of the container. */
import { join, slice, type Text } from '../text.ts';
import { scriptKeys } from './key-meanings.ts';
import { type Data, type Scalar, scalar, withScalars } from './tree.ts';

const compose = /(?:^|\/)(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/i;

/** A file with its commands as containers get them. */
export const withOwnVariables = (root: Data, file: string): Data => (compose.test(file) ? withScalars(root, ofContainer) : root);

const ofContainer = (data: Scalar, key: string): Scalar =>
  scriptKeys.test(key) && data.value.includes('$$')
    ? scalar(data, data.value.split('$$').join('$'), () => data.text && withOne(data.text))
    : data;

function withOne(text: Text): Text {
  const parts: Text[] = [];
  let from = 0;
  for (const { index } of text.value.matchAll(/\$\$/g)) {
    parts.push(slice(text, from, index + 1));
    from = index + 2;
  }
  return join([...parts, slice(text, from)]);
}
