/** Commands in files of Compose: two dollars are one, which is left to the shell of the container. */
import type { Program } from '../reading.ts';
import { isRead } from '../shell/programs.ts';
import { commandsIn } from '../shell/words.ts';
import { join, slice, type Text } from '../text.ts';
import { scriptKeys } from './keys.ts';
import { type Data, type Scalar, childrenOf, entryOf, listOf, mapOf, scalar, textOf, withScalars } from './tree.ts';

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

/** What a container runs, whatever its version: another image is another program. */
export function programsOf(container: Data): string[] {
  if (container.kind !== 'map') return [];
  const built = textOf(container, /^build$/) ?? textOf(mapOf(container, /^build$/) ?? container, /^context$/);
  return [imageOf(container) ?? [], built?.value ?? []].flat();
}

/** An image that is built here, that has the folder of the project in it, or that is told to run a script, runs what stands in these files. */
export function runBy(container: Data): Program | undefined {
  const name = imageOf(container);
  if (container.kind !== 'map') return undefined;
  if (entryOf(container, /^build$/) !== undefined) return { name: name ?? '', isOwn: true };
  if (name === undefined) return undefined;
  const commands = container.entries.flatMap(({ key, value }) => (running.test(key.value) ? [wordsIn(value)] : []));
  const isMounted = listOf(container, /^volumes$/).some((volume) => volume.kind === 'scalar' && /^\.{1,2}\/?:/.test(volume.value));
  const isOwn = isMounted || commands.some((words) => words.length > 0 && isRead({ words }));
  return { name, isOwn: isOwn || undefined };
}

/** What containers run, those of pipelines, too. */
const running = /^(?:command|entrypoint|args|script|commands|run)$/;

const imageOf = (container: Data): string | undefined =>
  container.kind === 'map' ? textOf(container, /^image$/)?.value.replace(/(?:@sha256)?:[\w.-]+$/, '') : undefined;

function wordsIn(data: Data): Text[] {
  if (data.kind === 'scalar')
    return data.text === undefined ? [] : commandsIn(data.text).flatMap(({ words }) => words.map(({ text }) => text));
  return childrenOf(data).flatMap((item) => (item.kind === 'scalar' && item.text !== undefined ? [item.text] : []));
}
