/** The kind of a file, by its name: which part of the kit reads it. */
import { SyntaxFault } from '../engines/engine.ts';
import { nginx } from '../engines/nginx.ts';
import { isTemporary, journalName } from './files/temporary.ts';

/** By a file's extension. A new kind is a line here; the types then ask for its reader in formats/registry.ts. */
const byExtension = {
  js: 'script',
  mjs: 'script',
  cjs: 'script',
  jsx: 'script',
  ts: 'script',
  mts: 'script',
  cts: 'script',
  tsx: 'script',
  // Apps Script, as clasp writes it.
  gs: 'script',
  // Snapshots of Jest and Vitest.
  snap: 'script',
  vue: 'markup',
  // Pages with scripts in them.
  html: 'markup',
  htm: 'markup',
  svelte: 'markup',
  astro: 'markup',
  env: 'env',
  json: 'json',
  jsonc: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  http: 'http',
  rest: 'http',
  hurl: 'http',
  bru: 'bruno',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  envrc: 'shell',
  mk: 'shell',
  just: 'shell',
  dockerfile: 'shell',
  cron: 'commands',
  jenkinsfile: 'pipeline',
  nginx: 'nginx',
  md: 'markdown',
  mdx: 'markdown',
} as const;

/**
 * `other`: programs in other languages, files that programs or machines are set up by, and whatever else there is. `plain`: texts for people,
 * tables, queries, which read no variable. Nothing of either is moved.
 */
export type FileKind = (typeof byExtension)[keyof typeof byExtension] | 'other' | 'plain';

/** A file may well be called `x.constructor`. */
const isKnown = (extension: string): extension is keyof typeof byExtension => Object.hasOwn(byExtension, extension);

/** Kinds that read variables by their names alone; programs name the environment, too. */
export const readsVariables: ReadonlySet<FileKind> = new Set(['shell', 'commands', 'pipeline', 'http', 'bruno']);

/** Locks and caches of package managers are no one's to edit, and what a change log says was so. */
const never = /^(?:package-lock|npm-shrinkwrap)\.json$|^pnpm-lock\.ya?ml$|^\.pnp\.|^(?:[Cc]hangelog|CHANGELOG|HISTORY|RELEASES)\b.*\.mdx?$/;
/** Of Workers, too. */
const dotEnv = /^\.(?:env|dev\.vars)(?:\.|[_-](?!cmdrc)[\w-]*$|$)|^env\.(?:examples?|samples?|template|dist|defaults?)$/;
/** Angular's development server reads it, and it decides where requests of scripts go: it is analysed with these. */
const proxy = /^proxy(?:[.-]\w+)*\.json$/;
/** A command a line, each behind when or as what it runs. */
const commandLines = /^(?:crontab|Procfile)(?:\.(?!(?:py|rb|erb|pl|php|j2|te?mpl|tpl)$)|$)|\.crontab$/i;
/** Known by their whole names. */
const recipe = /^(?:Dockerfile|Containerfile|(?:GNU)?[Mm]akefile)(?:\.|$)|^\.?[Jj](?:ust|UST)(?:file|FILE)$/;

/** Of Jenkins, also under a name of its own behind a sign. */
const pipeline = /^Jenkinsfile(?:$|[._-](?!(?:mdx?|txt|adoc|rst)$))/i;

/** What is drawn, played, packed, compiled, signed, locked, logged or put aside: nothing there asks or is set up for it. */
const asset =
  /\.(?:css|s[ac]ss|less|styl|pcss|png|jpe?g|gif|webp|avif|heic|bmp|ico|icns|svg|tiff?|psd|fig|sketch|woff2?|[ot]tf|eot|mp[34]|m4a|wav|ogg|webm|mov|avi|flac|aac|glb|gltf|zip|t?gz|bz2|xz|zst|7z|rar|tar|[jw]ar|pdf|docx?|xlsx?|pptx?|od[tsp]|map|lockb?|sum|tsbuildinfo|db(?:-\w+)?|sqlite3?|pem|crt|cer|key|p12|der|asc|gpg|sig|wasm|node|so|dll|dylib|exe|bin|class|pyc|[oa]|log|patch|diff|orig|rej|bak2?|backup|sw[op]|keep)$/i;
const other = /^(?:Vagrantfile|Rakefile|Gemfile|Fastfile|Caddyfile|Tiltfile|Taskfile|_redirects)$/;
/** Rules for coding agents, too: `.cursor/rules/api.mdc`, `.windsurfrules`. */
const plain =
  /\.(?:txt|rst|adoc|asciidoc|org|csv|tsv|sql|ipynb|json5|jsonl|ndjson|graphqls?|gql|markdown|mdc)$|^\.(?!envrc)[\w-]+rc$|^\.(?:cursor|windsurf|cline|roo)rules$/i;
const hasKnown = (name: string): boolean => isKnown(name.slice(name.lastIndexOf('.') + 1).toLowerCase());

/** `local.settings.json.example`: people copy it to what it is called before. */
const copiedAs = (name: string): string | undefined => /^(.+\.\w+)\.(?:examples?|samples?|dist)$/.exec(name)?.[1];
/** Whether nobody imports a file by its own name, as people first copy it. */
export const isCopied = (path: string): boolean => copiedAs(path) !== undefined;
/** Files that are one value, under the names that people copy them from, too. */
export const isDataFile = /\.(?:jsonc?|ya?ml|toml)(?:\.(?:examples?|samples?|dist))?$/;

/** Files of JavaScript or TypeScript, and beside these pages of frameworks, which have it in them. */
export const isCodeFile = /\.[cm]?[jt]sx?$/;
export const isCodeOrPage = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i;

/**
 * The kind of a file.
 * @param name its name, without folders
 * @returns undefined where nothing is looked for; `'bare'` where the name says nothing and the first line has to (see `kindOfText`)
 */
export function kindOf(name: string): FileKind | 'bare' | undefined {
  const copied = copiedAs(name);
  if (copied !== undefined) return kindOf(copied) === 'script' ? 'plain' : kindOf(copied);
  if (never.test(name) || name === journalName || isTemporary(name)) return undefined;
  if (dotEnv.test(name)) return 'env';
  if (recipe.test(name)) return 'shell';
  if (pipeline.test(name) && !asset.test(name)) return 'pipeline';
  if (proxy.test(name)) return 'script';
  if (other.test(name)) return 'other';
  if (commandLines.test(name) && !hasKnown(name)) return 'commands';
  if (plain.test(name)) return 'plain';
  const dot = name.lastIndexOf('.');
  if (dot === -1) return 'bare';
  const extension = name.slice(dot + 1).toLowerCase();
  if (isKnown(extension)) return byExtension[extension];
  return dot === 0 || asset.test(name) ? undefined : 'other';
}

/**
 * The kind of a file of which the name does not say enough: an interpreter that the first line names, lines that all set variables or
 * are a crontab's (`/etc/default/app`, `/etc/cron.d/app`), or nginx, whose configuration may be called as that of others is.
 */
export function kindOfText(kind: FileKind | 'bare', text: string): FileKind | undefined {
  if (kind !== 'bare' && kind !== 'other') return kind;
  if (isNginx(text)) return 'nginx';
  if (kind === 'other') return kind;
  const [, interpreter] = /^#![^\n]*?\b(bash|zsh|dash|ksh|sh|node|deno|bun|tsx|ts-node)\b/.exec(text) ?? [];
  if (interpreter !== undefined) return interpreter.endsWith('sh') ? 'shell' : 'script';
  if (text.startsWith('#!')) return 'other';
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
  const others = lines.filter((line) => !setting.test(line));
  if (lines.length > 0 && others.every((line) => scheduled.test(line))) return others.length > 0 ? 'commands' : 'env';
  return 'plain';
}

const setting = /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*=/;

/** When a line of a crontab runs what stands behind. */
export const scheduled = /^[ \t]*(?:@[a-z]+|[\d*][\d*,/~-]*(?:[ \t]+[\d*][\d*,/~-]*){2}(?:[ \t]+[\da-zA-Z*][\w*,/~-]*){2})[ \t]+(?=\S)/;

/** Whether it passes requests on, or says how others do, and all of it is nginx's: what a template of another tool puts in may be more than a word. */
export function isNginx(text: string): boolean {
  // The word alone first: every file of another language is asked.
  if (!text.includes('proxy_') || !/(?<![\w-])proxy_(?:pass|set_header)\s/.test(text) || text.includes('<%')) return false;
  try {
    nginx.check('', text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxFault) return false;
    throw error;
  }
}

/** Whether a file is Make's, by its name alone, without its folder. */
export const isMakefile = (name: string): boolean => /^(?:GNU)?makefile|\.mk$/i.test(name);

export const isTerraform = (path: string): boolean => path.endsWith('.tf');
