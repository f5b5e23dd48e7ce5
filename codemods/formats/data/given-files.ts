/** Files of variables that containers of Compose and Kubernetes are given. */
import type { ForeignScript } from '../reading.ts';
import type { GivenFile } from '../shell/given-files.ts';
import { runBy } from './programs.ts';
import { type Data, type DataMap, type Scalar, childrenOf, entryOf, listOf, mapOf, mapsIn, textOf } from './tree.ts';
import { parseYaml } from './yaml.ts';

/** @returns those of containers with an image that is not made here, beside one that is, or of which nothing says that it is, and of those that run what is not here */
export function givenToOthers(
  text: string,
  isMadeHere: (image: string) => boolean | 'likely' | 'doubtful' | undefined,
  isHere: (script: ForeignScript) => boolean,
): GivenFile[] {
  const containers = parseYaml(text)
    .roots.flatMap(mapsIn)
    .flatMap((map) => {
      const program = runBy(map);
      return program === undefined
        ? []
        : [{ map, isOwn: program.scripts?.every(isHere) !== false && (program.isOwn ?? isMadeHere(program.name)) }];
    });
  const kinds = new Set(containers.map(({ isOwn }) => isOwn));
  const hasOwn = kinds.has(true);
  const isOthers = (isOwn: (typeof containers)[number]['isOwn']): boolean =>
    isOwn === false || isOwn === 'doubtful' || (isOwn === 'likely' && hasOwn) || (isOwn === undefined && (hasOwn || kinds.has('likely')));
  return containers.flatMap(({ map, isOwn }) => (isOthers(isOwn) ? givenIn(map) : []));
}

const givenIn = (container: DataMap): GivenFile[] => [
  ...filesIn(entryOf(container, /^env_file$/)?.value).map((file) => placed(file, 'file')),
  ...[...listOf(container, /^envFrom$/), ...listOf(container, /^env$/)].flatMap(mapsIn).flatMap((map) => {
    const ref = mapOf(map, /^(?:configMap|secret)(?:Key)?Ref$/);
    const name = ref && textOf(ref, /^name$/);
    return name === undefined ? [] : [placed(name, 'map')];
  }),
];

/** `env_file: .env`, `[.env, other.env]`, `[{ path: .env }]` */
function filesIn(data: Data | undefined): Scalar[] {
  if (data === undefined) return [];
  if (data.kind === 'scalar') return [data];
  if (data.kind === 'map') return [textOf(data, /^path$/) ?? []].flat();
  return childrenOf(data).flatMap(filesIn);
}

const placed = ({ value: name, start, end }: Scalar, kind: GivenFile['kind']): GivenFile => ({ name, kind, start, end });
