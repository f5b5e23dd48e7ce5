/** Files of Compose, with all that containers get: https://docs.docker.com/reference/compose-file/. */
import { posix } from 'node:path';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isCompose } from '../../find/files/compose.ts';
import { memo, once } from '../../once.ts';
import { join, slice, standingFor, type Text, type TextRange } from '../text.ts';
import { scriptKeys } from './key-meanings.ts';
import { type Data, type DataMap, type Entry, type Scalar, entryOf, mapOf, scalar, textOf, withScalars } from './tree.ts';
import { parseYaml } from './yaml.ts';

type Others = readonly Pick<SourceText, 'file' | 'text'>[];

/** @param others files of the run, among which are those that are put over each other, and that services are taken over from */
export function asContainersHaveIt(root: Data, file: string, others: Others): Data {
  const isNamed = isCompose(file);
  // By whatever name: a stack of Swarm, `production.yml`.
  if (!isNamed && !servicesIn(root).some(({ value }) => value.kind === 'map' && entryOf(value, origin) !== undefined)) return root;
  const known = servicesBeside(root, file, others);
  const whole = within(root, /^services$/, (all) =>
    within(all, /^/, (service, { value: name }) => withOrigin(withOuter(service), name, known)),
  );
  return isNamed ? withScalars(whole, ofContainer) : whole;
}

/** Whether a service of the file is built, or one of those that are put over it: what has another image beside it is another program. */
export const buildsServices = (root: Data, file: string, others: Others): boolean =>
  [root, ...rootsBeside(file, others)].some((each) =>
    servicesIn(each).some(({ value }) => value.kind === 'map' && entryOf(value, /^build$/) !== undefined),
  );

const servicesIn = (root: Data): readonly Entry[] => (root.kind === 'map' ? (mapOf(root, /^services$/)?.entries ?? []) : []);

/** What Compose puts over each other in a folder. */
const rootsBeside = (file: string, others: Others): Data[] =>
  isCompose(file)
    ? others.flatMap((other) =>
        other.file !== file && isCompose(other.file) && posix.dirname(other.file) === posix.dirname(file)
          ? parseYaml(other.text).roots
          : [],
      )
    : [];

/** What says whose program a service runs. */
const origin = /^(?:image|build)$/;

/** A map with others in the place of those that stand under some keys. */
const within = (data: Data, keys: RegExp, change: (inner: Data, key: Scalar) => Data): Data =>
  data.kind === 'map'
    ? {
        ...data,
        entries: data.entries.map(({ key, value }) => ({ key, value: keys.test(key.value) ? change(value, key) : value })),
      }
    : data;

/** `- NAME` and `NAME:` say what `NAME: ${NAME}` does: it comes from who starts it, or from `.env`. */
const withOuter = (service: Data): Data =>
  within(within(service, /^environment$/, byName), /^build$/, (build) => within(build, /^args$/, byName));

const identifier = /^[A-Za-z_]\w*$/;

const byName = (variables: Data): Data =>
  variables.kind === 'list'
    ? { kind: 'map', start: variables.start, end: variables.end, entries: variables.items.flatMap(entryIn) }
    : within(variables, identifier, (value, key) => (value.kind === 'opaque' ? referring(key, key.value) : value));

/** `NAME=value`, or `NAME` alone. */
function entryIn(item: Data): Entry[] {
  if (item.kind !== 'scalar') return [];
  const [name = '', ...rest] = item.value.split('=');
  const key = scalar(item, name, () => item.text && slice(item.text, 0, name.length));
  if (rest.length === 0) return [{ key, value: referring(item, name) }];
  return [{ key, value: scalar(item, rest.join('='), () => item.text && slice(item.text, name.length + 1)) }];
}

const referring = (place: TextRange, name: string): Scalar => scalar(place, `\${${name}}`, () => standingFor(`\${${name}}`, place));

/** Services by their name: of one file, or of all that are put over each other. */
type Services = (name: string, file?: string) => readonly DataMap[];

function servicesBeside(root: Data, file: string, others: Others): Services {
  const beside = once(() => [root, ...rootsBeside(file, others)]);
  const rootsOf = memo((path: string) => others.filter((other) => other.file === path).flatMap(({ text }) => parseYaml(text).roots));
  return (name, of) =>
    (of === undefined ? beside() : rootsOf(posix.join(posix.dirname(file), of)))
      .flatMap(servicesIn)
      .flatMap(({ key, value }) => (key.value === name && value.kind === 'map' ? value : []));
}

/** A service has its image from the file that it is put over, or from the service that it extends. */
function withOrigin(service: Data, name: string, services: Services): Data {
  if (service.kind !== 'map' || entryOf(service, origin) !== undefined) return service;
  const extended = mapOf(service, /^extends$/);
  const taken = textOf(extended ?? service, extended === undefined ? /^extends$/ : /^service$/)?.value;
  const from = [...(taken === undefined ? [] : services(taken, extended && textOf(extended, /^file$/)?.value)), ...services(name)];
  const found = from.flatMap(({ entries }) => entries.filter(({ key }) => origin.test(key.value)));
  return { ...service, entries: [...service.entries, ...found.map((entry) => elsewhere(entry, service))] };
}

/** What stands in another file says whose a program is, and is no text of this one. */
const elsewhere = ({ key, value }: Entry, { start }: TextRange): Entry => {
  const place = { start, end: start };
  return {
    key: scalar(place, key.value, () => undefined),
    value: value.kind === 'scalar' ? scalar(place, value.value, () => undefined) : { kind: 'opaque', ...place },
  };
};

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
