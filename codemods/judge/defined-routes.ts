/**
 * Paths that the project's own servers define in their code: `app.use('/api/v1', api)` and `api.get('/contacts', list)`. Which router is mounted where is not
 * followed: a path is answered where it can be put together of what is written, with its resource among it.
 */
import { dirname } from 'node:path/posix';
import { handingOnRequests, makingServers, namesFramework, namesOfServers } from '../clients/servers/frameworks.ts';
import { escaped } from '../find/words/literals.ts';
import { isNamedAsFake, isTest } from '../evaluate/libraries/test-files.ts';
import type { FoundFile } from '../find/walk.ts';
import { routeHeads } from '../verdict/bases/routes.ts';
import { isCodeFile } from '../find/kinds.ts';

const path = String.raw`\(\s*(?:\[\s*)?(["'\`])(?<path>[^"'\`\n$]*)\1`;
/** What servers are called that a file is given. */
const given = [...namesOfServers, '\\w*[rR]outer', '\\w*[rR]outes'];
const decorated = new RegExp(String.raw`@(?:Controller|Get|Post|Put|Patch|Delete|All)${path}`, 'g');
const prefix = /\bprefix\s*:\s*(["'`])(?<path>\/?[^"'`\n$]*)\1/g;
/** Many things have a `path`: in a file that defines routes by objects it is one of these. */
const byObjects = /\bcreateRoute\b|\.route\s*\(\s*[[{]|\bRouterModule\b|@Controller\s*\(\s*\{/;
const optional = /\b(?:prefix|path)\s*:\s*(["'`])(?<path>\/?[^"'`\n$]*)\1/g;
/** The address that a server is asked for, where it is not only looked at: whoever takes it may hand it on. */
const taken =
  /\boriginalUrl\b|\b(?:req|request|ctx|context|c|event|e)\.(?:(?:req|request|raw)\.)?(?:url|path)\b(?!\s*[!=]==?|\s*\.(?:startsWith|endsWith|includes|match|indexOf)\b)|\{[^{}]{0,200}\b(?:url|path)\b[^{}]{0,200}\}\s*=\s*(?:req|request|ctx|c|event)\b/;
/** Lines that only tell of it. */
const isTelling = (line: string): boolean => /\b(?:console|log(?:ger)?|status|throw)\b/.test(line) && !/\bawait\b|\bfetch\b/.test(line);

const handsOn = (text: string): boolean =>
  handingOnRequests.test(text) || (taken.test(text) && text.split('\n').some((line) => taken.test(line) && !isTelling(line)));

/** A line that is nothing but a comment. */
const comment = /^[ \t]*(?:\/\/|\/?\*).*$/gm;

/** Below which folders no path is taken for a server's: what stands in for another, or only shows how. */
const isAside = (file: string): boolean =>
  isTest({ file, isFake: false }) || isNamedAsFake(file) || /(?:^|\/)(?:examples?|demos?|stubs?|msw)\//.test(file);

/**
 * @returns whether a server of the project answers a path; undefined where none defines one of v1, or one hands
 * on what it is asked
 */
export function answeredBy(files: readonly FoundFile[], textIn: (file: string) => string): ((path: string) => boolean) | undefined {
  const projects = new Set(
    files.flatMap(({ path: file }) => (file.endsWith('package.json') && namesFramework.test(textIn(file)) ? dirname(file) : [])),
  );
  if (projects.size === 0) return undefined;
  const projectOf = (folder: string): string | undefined =>
    projects.has(folder) ? folder : folder === dirname(folder) ? undefined : projectOf(dirname(folder));
  const inProjects = files
    .flatMap(({ path: file }) => (isCodeFile.test(file) && !isAside(file) ? { file, project: projectOf(dirname(file)) } : []))
    .flatMap(({ file, project }) => (project === undefined ? [] : { project, text: textIn(file).replaceAll(comment, '') }));
  const serving = inProjects.filter(({ text }) => namesFramework.test(text));
  const servers = [...Map.groupBy(serving, ({ project }) => project)]
    .map(([project, texts]) => ({ project, pieces: new Set(texts.flatMap(({ text }) => piecesIn(text))) }))
    .filter(({ pieces }) => [...pieces].some((piece) => /\/v1(?:\/|$)/.test(piece)));
  const own = new Set(servers.map(({ project }) => project));
  if (servers.length === 0 || inProjects.some(({ project, text }) => own.has(project) && handsOn(text))) return undefined;
  return (path) => {
    const end = resource.exec(path)?.[0].length;
    return end !== undefined && path.length <= maxLength && servers.some(({ pieces }) => isMadeOf(pieces, path, end));
  };
}

/** A longer path is asked by nobody. */
const maxLength = 400;

/** Whether a path is put together of pieces, up to an end of its segments at least. */
function isMadeOf(pieces: ReadonlySet<string>, path: string, end: number): boolean {
  const ends = Array.from(path.matchAll(/\/|$/g), ({ index }) => index);
  const reached = new Set([0]);
  for (const from of ends) if (reached.has(from)) for (const to of ends) if (to > from && pieces.has(path.slice(from, to))) reached.add(to);
  return [...reached].some((each) => each >= end);
}

const heads = routeHeads.map((head) => head.slice('/v1'.length));
/** What follows the resource is its own. */
const resource = new RegExp(`^.*?/v1(?:${heads.map(escaped).join('|')})(?=/|$)`);

/** The paths that a text defines, each up to what is not written in it. */
function piecesIn(text: string): string[] {
  const names = [...given, ...Array.from(text.matchAll(makingServers), ([, name = '']) => escaped(name))];
  const defining = new RegExp(
    String.raw`(?<![\w$.])(?:this\.)?(?:${names.join('|')})\s*(?:\.\w+\([^()\n]*\)\s*)*\.(?:use|all|get|post|put|patch|delete|route|mount|group|register|basePath|setGlobalPrefix|prefix)${path}`,
    'g',
  );
  const versioned = /\bVersioningType\.URI\b/.test(text) ? ['/v1'] : [];
  const found = [defining, decorated, byObjects.test(text) ? optional : prefix].flatMap((each) =>
    Array.from(text.matchAll(each), ({ groups }) => `/${groups?.['path'] ?? ''}`.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')),
  );
  // A wildcard says of no path that it is answered.
  return [...found, ...versioned].flatMap((piece) => (piece.includes('*') ? [] : piece.replace(/\/[:{].*$/, '') || []));
}
