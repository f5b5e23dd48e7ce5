/** Which images of containers are made of these files, by what builds and pushes them, and by how packages and folders are called. */
import { posix } from 'node:path';
import { once } from '../once.ts';
import type { FoundFile } from '../find/walk.ts';
import { isCompose } from '../find/files/compose.ts';
import { calledInFolder, isOfFolder, isOfOtherLanguage } from '../formats/images.ts';

/**
 * Tells whether an image is made of these files; undefined where nothing says so, and `'doubtful'` where nothing says that any is. A registry of its own has
 * what its owner makes: `'likely'` one of these files, unless another that surely is stands beside it.
 */
export type IsMadeHere = (image: string) => boolean | 'likely' | 'doubtful' | undefined;

interface Image {
  readonly name: string;
  /** Who keeps it, at whatever registry. */
  readonly owner: string;
}

/** Registries of which everybody has images. */
const shared =
  /^(?:(?:index\.|registry-1\.)?docker\.io|ghcr\.io|quay\.io|gcr\.io|registry\.gitlab\.com|public\.ecr\.aws|mcr\.microsoft\.com|registry\.k8s\.io)$/;
/** What runs the files that are mounted into it or copied there. */
const runtime = /^(?:node(?:js)?|(?:java|type)script-node|devcontainers|bun|deno|included|browsers|curl|git|library)$/;
export function madeImages(files: readonly Pick<FoundFile, 'path' | 'kind'>[], textIn: (file: string) => string): IsMadeHere {
  const built = once(() => files.flatMap(({ path }) => (mayBuild.test(path) ? builtIn(path, textIn(path)) : [])));
  const names = once(() => new Set([...built().map(({ name }) => name), ...files.flatMap(({ path }) => calledAs(path, textIn))]));
  const owners = once(() => new Set(built().flatMap(({ owner }) => (owner === '' ? [] : owner))));
  const kept = once(() => new Set(files.flatMap(({ path }) => ownersSaid(path, textIn))));
  const isBuilt = once(() => files.some(({ path }) => recipe.test(path) || (mayBuild.test(path) && builds.test(textIn(path)))));
  const buckets = once(() => new Set(files.flatMap(({ path }) => (mayBuild.test(path) ? bucketsIn(textIn(path)) : []))));
  const isAnyMade = once(() => files.some(({ path }) => recipe.test(path) || (/\.ya?ml$/.test(path) && /^\s+build:/m.test(textIn(path)))));
  const services = once(() => new Map(files.flatMap(({ path }) => (isCompose(path) ? servicesIn(textIn(path)) : []))));
  return function isMadeHere(image: string): ReturnType<IsMadeHere> {
    if (isOfFolder(image)) {
      const of = services().get(calledInFolder(image));
      return of === undefined ? isAnyMade() || 'doubtful' : of === '' || (isMadeHere(of) ?? 'doubtful');
    }
    if (image.startsWith(bucket)) return buckets().has(ownerOf(image)) || undefined;
    const [host = '', ...rest] = image.split('/');
    if (/[${}<>]/.test(image)) return true;
    // Without an owner it is one that a machine has, or one of Docker's own.
    if (rest.length === 0) return !isOfOtherLanguage(image) || names().has(image);
    const { name, owner } = imageOf(image);
    const isOfRegistry = /[.:]|^localhost$/.test(host) && !shared.test(host);
    if ((owner === '' && !isOfRegistry) || runtime.test(name) || runtime.test(owner) || names().has(name) || owners().has(owner))
      return true;
    // `acme/worker` of a package that is called `acme-worker`.
    if (kept().has(owner) || names().has(`${owner}-${name}`)) return true;
    if (isOfOtherLanguage(name)) return false;
    if (isOfRegistry) return 'likely';
    if (owners().size > 0) return false;
    return isBuilt() ? undefined : 'doubtful';
  };
}

/** The image of each service of Compose, and of its container, by their names; nothing for what is built. */
const servicesIn = (text: string): [name: string, image: string][] =>
  Array.from(
    text.matchAll(/^(?<in>[ ]+)(?<name>[\w.-]+):[ \t]*\r?\n(?<body>(?:\k<in>[ ]+.*(?:\n|$)|[ \t]*\r?\n)+)/gm),
    ({ groups = {} }) => {
      const { name = '', body = '' } = groups;
      const image = /^\s+image:[ \t]*["']?([^\s"'#]+)/m.exec(body)?.[1];
      const isBuilt = /^\s+build:/m.test(body);
      const names = [name, ...(/^\s+container_name:[ \t]*["']?([\w.-]+)/m.exec(body)?.slice(1) ?? [])];
      return image === undefined && !isBuilt ? [] : names.map((each): [string, string] => [each, isBuilt ? '' : (image ?? '')]);
    },
  ).flat();

/** Who keeps an image, or the bucket that a function's code lies in. */
export const ownerOf = (image: string): string =>
  image.startsWith(bucket) ? (image.slice(bucket.length).split('/')[0] ?? '') : imageOf(image).owner;

const bucket = 's3://';

/** What an image is made by, of these files. */
const recipe = /(?:^|\/)(?:(?:Docker|Container)file(?:\.[^/]*)?|[^/]*\.dockerfile|skaffold\.ya?ml|project\.toml|nixpacks\.toml)$/i;

function imageOf(image: string): Image {
  const parts = image.replace(/(?:@sha256)?:[^/]*$/, '').split('/');
  const own = shared.test(parts[0] ?? '') || /[.:]/.test(parts[0] ?? '') ? parts.slice(1) : parts;
  return { name: own.at(-1) ?? '', owner: own.slice(0, -1).find((part) => !/[${}]/.test(part)) ?? '' };
}

const mayBuild =
  /(?:^|\/)(?:\.github\/workflows\/|\.circleci\/|\.buildkite\/)?[\w.-]+\.(?:ya?ml|sh)$|(?:^|\/)(?:package\.json|Makefile|Jenkinsfile|[\w.-]+\.tf|[\w.-]*ocker-bake\.(?:hcl|json))$/;

/** `docker build -t NAME`, `docker push NAME`, `tags:` and `images:` of actions that build, `image:` beside `build:`. */
function builtIn(file: string, text: string): Image[] {
  if (!/docker|buildah|podman|kaniko|build:/.test(text)) return [];
  const commands = Array.from(text.matchAll(/\b(?:docker|podman|buildah)\s[^\n]*?\b(?:push|build|bud|tag)\b([^\n]*)/g), ([, words = '']) =>
    Array.from(words.matchAll(/(?<=\s|=|"|')(?:[\w.${}-]+(?::\d+)?\/)+[\w.${}-]+(?::[^\s"']*)?(?=[\s"']|$)/g), ([word]) => word),
  ).flat();
  const listed = /build-push-action|metadata-action/.test(text) ? taggedIn(text) : [];
  return [...commands, ...listed, ...besideBuild(file, text)].filter((word) => !word.startsWith('.')).map(imageOf);
}

/** A service of Compose that is built, and commands that build an image. */
const builds = /^\s+build:|\b(?:docker|podman|buildah|pack|nerdctl)\s[^\n]*?\b(?:build|bud)\b|build-push-action/m;

/** Buckets that something is put into from here. */
const bucketsIn = (text: string): string[] =>
  Array.from(
    text.matchAll(
      /\baws\s+s3\s+(?:cp|mv|sync)\b[^\n]*\ss3:\/\/([\w.-]+)|--s3-bucket[ =]([\w.-]+)|"aws_s3_bucket"[^{]*\{[^{}]*?\bbucket\s*=\s*"([\w.-]+)"/g,
    ),
    ([, copied, given, made]) => copied ?? given ?? made ?? '',
  );

/** What stands behind `tags:` or `images:`, on the line or on those below that are further in. */
const taggedIn = (text: string): string[] =>
  Array.from(text.matchAll(/^([ ]*)(?:- )?(?:tags|images):[ ]*(?:[|>]-?)?(.*(?:\n\1[ ]+.*)*)/gm), ([, , words = '']) =>
    Array.from(words.matchAll(/(?:[\w.-]+\/)+[\w.-]+/g), ([word]) => word),
  ).flat();

/** A service of Compose that has both: the image is called so once it is built. */
const besideBuild = (file: string, text: string): string[] =>
  /\.ya?ml$/.test(file)
    ? Array.from(text.matchAll(/^([ ]+)image:[ ]*["']?([^\s"'#]+)/gm)).flatMap(({ 1: indent = '', 2: image = '', index }) => {
        const isBeside = (lines: readonly string[]): boolean => {
          const own = lines.slice(0, lines.findIndex((line) => /\S/.test(line) && !line.startsWith(indent)) >>> 0);
          return own.some((line) => line.startsWith(`${indent}build:`));
        };
        const [before, after] = [text.slice(0, index).split('\n').toReversed(), text.slice(index).split('\n')];
        return isBeside(before) || isBeside(after) ? image : [];
      })
    : [];

/** Whose a package is: its scope, and who keeps its repository, mostly keep its images. */
function ownersSaid(path: string, textIn: (file: string) => string): string[] {
  if (posix.basename(path) !== 'package.json') return [];
  const text = textIn(path);
  const [, scope = []] = /"name"\s*:\s*"@([^"/]+)\//.exec(text) ?? [];
  const [, keeper = []] = /"(?:repository|url)"\s*:\s*"(?:[^"]*[/:])?([\w-]+)\/[\w.-]+"/.exec(text) ?? [];
  return [scope, keeper].flat();
}

/** What an image of a package, or of the folder of a Dockerfile, is mostly called. */
function calledAs(path: string, textIn: (file: string) => string): string[] {
  const base = posix.basename(path);
  if (base === 'Chart.yaml') return [/^name:\s*["']?([\w.-]+)/m.exec(textIn(path))?.[1] ?? []].flat();
  if (base === 'package.json') return [/"name"\s*:\s*"(?:@[^"/]*\/)?([^"]+)"/.exec(textIn(path))?.[1] ?? []].flat();
  if (!/^(?:Docker|Container)file(?:\.|$)/.test(base)) return [];
  return [posix.basename(posix.dirname(path)), base.split('.')[1] ?? []].flat();
}
