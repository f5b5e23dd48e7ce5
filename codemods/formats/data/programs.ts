/**
 * What files of data run: containers, functions, apps of PM2, processes. Each is given the variables that stand with it, and those that stand for all.
 */
import { isOfOtherLanguage } from '../images.ts';
import type { ForeignScript, Program } from '../reading.ts';
import { commandGiven, scriptsRun, withoutVersion } from '../shell/others.ts';
import { isRead } from '../shell/programs.ts';
import { understand } from '../shell/runs.ts';
import { commandsIn } from '../shell/words.ts';
import type { Text } from '../text.ts';
import type { Named } from './definitions.ts';
import { type Data, type DataMap, type Scalar, childrenOf, entryOf, listOf, mapOf, mapsIn, textOf } from './tree.ts';

/** What a container runs, whatever its version: another image is another program. */
export function programsOf(container: Data): string[] {
  if (container.kind !== 'map') return [];
  const built = textOf(container, /^build$/) ?? textOf(mapOf(container, /^build$/) ?? container, /^context$/);
  return [imageOf(container) ?? [], built?.value ?? []].flat();
}

/**
 * The program of whoever is given a variable: the innermost around it.
 * @param isBuiltBeside whether a container is built of these files beside it
 */
export function programsIn(root: Data, isBuiltBeside = false): (owner: Data) => Program | undefined {
  const found = new Map<Data, Program>();
  const visit = (data: Data, outer: Program | undefined): void => {
    const own = runBy(data);
    const program = own === undefined ? outer : { ...own, isBuiltBeside };
    if (program !== undefined) found.set(data, program);
    for (const child of childrenOf(data)) visit(child, program);
  };
  visit(root, undefined);
  return (owner) => found.get(owner) ?? (owner.kind === 'scalar' ? commandIn(owner) : undefined);
}

export const runBy = (data: Data): Program | undefined =>
  data.kind === 'map' ? (containerIn(data) ?? functionIn(data) ?? appIn(data)) : undefined;

/** An image that is built here, that has the folder of the project in it, or that is told to run a script, runs what stands in these files. */
function containerIn(container: DataMap): Program | undefined {
  const name = imageOf(container);
  const put = entryOf(container, /^image$/i)?.value;
  // What a function of a template puts together is of the deployment's own registry.
  const isPutTogether = name === undefined && put?.kind === 'map' && put.entries.some(({ key }) => /^(?:Fn::|Ref$)/.test(key.value));
  const commands = container.entries.flatMap(({ key, value }) => (running.test(key.value) ? commandsOf(value) : []));
  const scripts = scriptsOf(container, commands);
  if (entryOf(container, /^build$/) !== undefined || isPutTogether) return { name: name ?? '', isOwn: true, scripts };
  if (name === undefined) return undefined;
  const isMounted =
    !isOfOtherLanguage(name) &&
    listOf(container, /^volumes$/).some((volume) => volume.kind === 'scalar' && /^\.{1,2}\/?:/.test(volume.value));
  const isOwn = isMounted || commands.some((words) => words.length > 0 && isRead({ words }));
  return { name, isOwn: isOwn || undefined, scripts };
}

/** What a container runs, and the folder that it is built of or, as an image of Docker's own, has mounted: each may be none of these files. */
function scriptsOf(container: DataMap, commands: readonly (readonly Text[])[]): readonly ForeignScript[] | undefined {
  const { start, end } = container;
  // The program is one list, and what it is given another.
  const whole = ['entrypoint', 'command', 'args'].flatMap((key) => commandsOf(entryOf(container, new RegExp(`^${key}$`))?.value).flat());
  const run = [...commands, whole].flatMap((words) => scriptsRun({ words, start, end }) ?? []);
  const folders = foldersOf(container).map((path): ForeignScript => ({ paths: [path], isBeside: true, start, end }));
  const all = [...run, ...folders];
  return all.length === 0 ? undefined : all;
}

function foldersOf(container: DataMap): readonly string[] {
  const build = textOf(container, /^build$/) ?? textOf(mapOf(container, /^build$/) ?? container, /^context$/);
  if (build !== undefined || entryOf(container, /^build$/) !== undefined) {
    const path = build?.value ?? '';
    // Many a `build` is a command.
    const isFolder = plainPath.test(path) && (path.includes('/') || mapOf(container, /^build$/) !== undefined);
    return isFolder && !/(?:^|\/)(?:dist|build|out|target)\/?$/.test(path) ? [path] : [];
  }
  if (imageOf(container)?.includes('/') !== false) return [];
  const mounted = listOf(container, /^volumes$/).flatMap((volume) =>
    volume.kind === 'scalar' ? (/^(\.{1,2}[^:]*):/.exec(volume.value)?.[1] ?? []) : [],
  );
  return mounted.every((path) => path.startsWith('../')) && plainPath.test(mounted[0] ?? '') ? mounted.slice(0, 1) : [];
}

const plainPath = /^\.{1,2}\/[\w./-]*\w\/?$|^\w[\w./-]*$/;

/** What containers run, those of pipelines, too. */
const running = /^(?:command|entrypoint|args|script|commands|run)$/i;

/** `image: vendor/bridge:3`, `image: { repository: vendor/bridge, tag: 3 }` of a chart, `{ url: … }` of Render, `ImageUri` of a function. */
function imageOf(container: DataMap): string | undefined {
  const held = mapOf(container, /^image$/i);
  const text = textOf(container, /^image(?:Uri)?$/i) ?? (held && textOf(held, /^(?:repository|url)$/));
  return text && withoutVersion(text.value);
}

/** A function of code that is packed here, or that lies in a bucket already. */
function functionIn(map: DataMap): Program | undefined {
  const code = entryOf(map, /^(?:CodeUri|Code)$/)?.value;
  if (code?.kind === 'map') return containerIn(code) ?? inBucket(textOf(code, /^(?:S3)?Bucket$/)?.value);
  if (code?.kind === 'scalar' && code.value.startsWith('s3://')) return inBucket(code.value.slice('s3://'.length));
  const handler = textOf(map, /^handler$/i);
  return handler === undefined ? undefined : { name: handler.value, isOwn: true };
}

const inBucket = (place: string | undefined): Program =>
  place === undefined || place.includes('$') ? { name: '', isOwn: true } : { name: `s3://${place}`, isOwn: undefined };

/** `{ "script": "a.js", "env": { … } }` of PM2, `startCommand` of Render and Railway. */
function appIn(map: DataMap): Program | undefined {
  const script = textOf(map, /^(?:script|startCommand|run_command)$/);
  const interpreter = textOf(map, /^interpreter$/)?.value;
  if (script !== undefined && interpreter !== undefined && /(?:python|ruby|perl|php)[\d.]*$/.test(interpreter))
    return commandGiven(`${interpreter} ${script.value}`);
  return script && commandIn(script);
}

const commandIn = ({ value, text }: Scalar): Program => commandGiven(value, text);

/** Variables that are given to several programs, as each of them has them, where one of these may be somebody else's. */
export function withReceivers(definitions: readonly Named[], root: Data): readonly Named[] {
  const [scope, receivers] = receiversIn(root);
  const extended = extendedIn(root);
  const byOwner = extended.length === 0 ? undefined : Map.groupBy(definitions, ({ owner }) => owner);
  const programs = programsIn(root);
  // Those of the project are one.
  const others = new Map(receivers.map((receiver) => [nameOf(programs(receiver)), receiver]));
  const owners = new Set(scope === undefined ? [] : [scope, ...mapsIn(scope)]);
  const given = definitions.filter(({ owner }) => owners.has(owner));
  return [
    ...definitions,
    ...[...others.values()].flatMap((owner) => given.map((each) => ({ ...each, owner }))),
    ...extended.flatMap(({ by, service }) =>
      mapsIn(service).flatMap((map) => (byOwner?.get(map) ?? []).map((each) => ({ ...each, owner: by }))),
    ),
  ];
}

/** Services of Compose that have what another has, and run a script of their own: `extends: { service: app }`. */
function extendedIn(root: Data): { readonly by: DataMap; readonly service: DataMap }[] {
  const services = root.kind === 'map' ? (mapOf(root, /^services$/)?.entries ?? []) : [];
  return services.flatMap(({ value: by }) => {
    if (by.kind !== 'map') return [];
    const held = mapOf(by, /^extends$/);
    const name =
      entryOf(by, /^extends$/) &&
      (held === undefined ? textOf(by, /^extends$/) : entryOf(held, /^file$/) ? undefined : textOf(held, /^service$/));
    const service = name && services.find(({ key }) => key.value === name.value)?.value;
    return service?.kind === 'map' && runBy(by)?.scripts !== undefined ? [{ by, service }] : [];
  });
}

const nameOf = (program: Program | undefined): string | undefined => (program?.isOwn === true ? '' : program?.name);

/** What variables for all stand in, and what has them: functions of serverless and SAM, processes of Fly. */
function receiversIn(root: Data): readonly [scope: Data | undefined, receivers: readonly Data[]] {
  if (root.kind !== 'map') return [undefined, []];
  const functions = mapOf(root, /^functions$/);
  const provider = mapOf(root, /^provider$/);
  if (functions !== undefined && provider !== undefined) return [provider, childrenOf(functions)];
  const globals = mapOf(mapOf(root, /^Globals$/) ?? root, /^Function$/);
  if (globals !== undefined)
    return [
      globals,
      mapsIn(root).flatMap((map) =>
        textOf(map, /^Type$/)?.value === 'AWS::Serverless::Function' ? (mapOf(map, /^Properties$/) ?? []) : [],
      ),
    ];
  const processes = mapOf(root, /^processes$/);
  return processes === undefined ? [undefined, []] : [root, childrenOf(processes)];
}

/** A list is the words of one command, or has a command in each. */
function commandsOf(data: Data | undefined): (readonly Text[])[] {
  if (data === undefined) return [];
  if (data.kind === 'scalar') return data.text === undefined ? [] : commandsIn(data.text).map((command) => understand(command).words);
  return [childrenOf(data).flatMap((item) => (item.kind === 'scalar' && item.text !== undefined ? [item.text] : []))];
}
