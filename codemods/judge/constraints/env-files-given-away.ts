/**
 * Files whose variables a program that somebody else made is given as a whole, beside one of the project: `env_file: .env` of Compose, `envFrom` of a ConfigMap,
 * `docker run --env-file .env`, `source .env`. What it reads of them is not known, so what would change there stays.
 */
import { posix } from 'node:path';
import { escaped } from '../../find/words/literals.ts';
import type { Walk } from '../../find/walk.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import type { GivenFile } from '../../formats/shell/given-files.ts';
import type { Edit } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';
import type { IsMadeHere } from '../../run/made-images.ts';
import type { IsHere } from '../../run/scripts-here.ts';
import { copyOfEnvExample } from './env-example-copies.ts';

interface Around {
  readonly textIn: (file: string) => string;
  readonly isOpen: IsOpen;
  readonly isMadeHere: IsMadeHere;
  readonly isHere: IsHere;
}

/** @param edits of variables that would change where they are set */
export async function variablesGivenByFiles(
  { files, others }: Pick<Walk, 'files' | 'others'>,
  names: ReadonlySet<string>,
  edits: readonly Edit[],
  { textIn, isOpen, isMadeHere, isHere }: Around,
): Promise<VariableUse[]> {
  const edited = [...new Set(edits.map(({ file }) => file))];
  if (names.size === 0 || edited.length === 0) return [];
  const data = files.flatMap(({ path, kind }) => (kind === 'yaml' && givesFiles.test(textIn(path)) ? path : []));
  const starting = [...files.map(({ path }) => path), ...others].filter((path) => starts.test(path));
  const pipelines = files.flatMap(({ path, kind }) => (kind === 'yaml' && textIn(path).includes('--env-file') ? path : []));
  const known = new Set(files.map(({ path }) => path));
  // Whoever is given the copy of an example has what stands there.
  const namesOf = (path: string): string[] => {
    const copy = copyOfEnvExample(path);
    return copy === undefined || known.has(copy) ? [path] : [path, copy];
  };
  const generators = files.flatMap(({ path }) => (generator.test(path) ? path : []));
  const { givenToOthers } = data.length === 0 ? {} : await import('../../formats/data/given-files.ts');
  const { givenByCommands } = starting.length + pipelines.length === 0 ? {} : await import('../../formats/shell/given-files.ts');
  const given = [
    ...data.map((file) => ({ file, all: givenToOthers?.(textIn(file), isMadeHere, (script) => isHere(script, file)) ?? [] })),
    ...starting.map((file) => ({ file, all: givenByCommands?.(textIn(file), file, isMadeHere, isHere) ?? [] })),
    ...pipelines.map((file) => ({
      file,
      all: givenByCommands?.(containersStarted(textIn(file)), 'pipeline.sh', isMadeHere, isHere) ?? [],
    })),
  ];
  const setIn = (file: string, name: string): boolean =>
    new RegExp(`^[ \\t]*(?:export[ \\t]+)?${escaped(name)}[ \\t]*[=:]`, 'm').test(textIn(file));
  return given.flatMap(({ file, all }) =>
    all.flatMap((each) => {
      const meant = isOpen({ file, ...each })
        ? edited.filter((path) =>
            namesOf(path).some((one) => isMeant(one, file, each, textIn) || isGenerated(one, each, generators, textIn)),
          )
        : [];
      return meant
        .flatMap((path) => [...names].filter((name) => setIn(path, name)))
        .map((name) => ({ ...each, file, ...positionsOf(textIn(file))(each.start), name, group: undefined, needsValue: true }));
    }),
  );
}

/** What gives files of variables to containers, and what starts programs. */
const givesFiles = /\b(?:env_file|envFrom|configMapKeyRef)\b/;
const starts =
  /(?:^|\/)(?:package\.json|Procfile[\w.-]*|(?:GNU)?[Mm]akefile[\w.-]*|\.?[Jj]ustfile|crontab(?:\.\w+)?|cron\.d\/[^/]+)$|\.(?:sh|bash|zsh|mk|just|service|cron)$/;

/** Commands of a pipeline that start a container, each where it stands. */
const containersStarted = (text: string): string =>
  text.replaceAll(/.+/g, (line) => {
    const at = line.search(/\b(?:docker|podman)\s+run\s/);
    return at === -1 ? ' '.repeat(line.length) : ' '.repeat(at) + line.slice(at);
  });

const generator = /(?:^|\/)kustomization\.ya?ml$/;

/** Whether Kustomize makes a map of that name of a file: `- name: texts`, `envs: [.env.example]`. */
const isGenerated = (path: string, { name, kind }: GivenFile, generators: readonly string[], textIn: Around['textIn']): boolean =>
  kind === 'map' &&
  generators.some((by) => {
    const items = textIn(by).split(/^(?=[ \t]*-[ \t]+name:)/m);
    const own = items.find((item) => new RegExp(String.raw`^[ \t]*-[ \t]+name:[ \t]*["']?${escaped(name)}["']?[ \t]*$`, 'm').test(item));
    const files = own?.match(/[^\s"'[\],]+/g) ?? [];
    return /\benvs?:/.test(own ?? '') && files.some((each) => posix.join(posix.dirname(by), each) === path);
  });

/** @param by the file that says what is given */
function isMeant(path: string, by: string, { name, kind }: GivenFile, textIn: Around['textIn']): boolean {
  if (kind === 'map')
    return new RegExp(
      String.raw`\bmetadata:\s*(?:\{[^{}]*?|\n(?:[ \t]+[^\n]*\n)*?[ \t]+)\bname: *["']?${escaped(name)}["']?\s*(?:$|[,}])`,
      'm',
    ).test(textIn(path));
  const folder = posix.dirname(path);
  // Where a machine has it, nobody knows.
  if (posix.isAbsolute(name)) return posix.basename(path) === posix.basename(name) && (folder === '.' || by.startsWith(`${folder}/`));
  // A script is mostly started at the root, and a pipeline in the folder that has it.
  return (
    path === posix.join(posix.dirname(by), name) ||
    (by.endsWith('sh') && path === posix.normalize(name)) ||
    (by.includes('.github/') && path === posix.join(by.replace(/\.github\/.*$/s, '.'), name))
  );
}
