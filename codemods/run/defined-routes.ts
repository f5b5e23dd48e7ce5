/**
 * Paths that the project's own servers define in their code: `app.use('/api/v1', api)` and `api.get('/contacts', list)`. Which router is mounted where is not
 * followed: a path is answered where it can be put together of what is written, with its resource among it.
 */
import { dirname } from 'node:path/posix';
import { frameworks } from '../find/server-frameworks.ts';
import { escaped } from '../find/literals.ts';
import { isNamedAsFake, isTest } from '../evaluate/test-files.ts';
import type { FoundFile } from '../find/walk.ts';
import { routeHeads } from '../verdict/routes.ts';

const packages = [...frameworks.split(' '), '@nestjs/core', '@nestjs/common'].map(escaped).join('|');
const named = new RegExp(`['"\`](?:${packages})['"\`]`);
const code = /\.[cm]?[jt]sx?$/;
const path = String.raw`\(\s*(?:\[\s*)?(["'\`])(?<path>[^"'\`\n$]*)\1`;
/** What makes a server or router, under whatever name. */
const made =
  /(?:const|let|var)\s+(\w+)[^=\n]*=\s*(?:await\s+)?(?:new\s+)?(?:\w+\.)?(?:express|[fF]astify|\w*Router|Koa|Hono|OpenAPIHono|Elysia|polka|restify)\s*(?:\.\w+\s*)?(?:<[^\n]*?>)?\(/g;
/** What servers are called that a file is given. */
const given = ['app', 'server', 'fastify', '\\w*[rR]outer', '\\w*[rR]outes'];
const decorated = new RegExp(String.raw`@(?:Controller|Get|Post|Put|Patch|Delete|All)${path}`, 'g');
const option = /\b(?:prefix|path)\s*:\s*(["'`])(?<path>\/?[^"'`\n$]*)\1/g;
/** What hands on what it is asked, to whomever: there the path says nothing of who answers. */
const handsOn =
  /\b(?:createProxyMiddleware|proxyMiddleware|createProxy\w*|http-?proxy\b|@fastify\/http-proxy)|[+{`]\s*(?:req|request|ctx|c\.req|event)\.(?:originalUrl|url|path)\b/i;

/** Below which folders no path is taken for a server's: what stands in for another, or only shows how. */
const isAside = (file: string): boolean =>
  isTest({ file, isFake: false }) || isNamedAsFake(file) || /(?:^|\/)(?:examples?|demos?|stubs?|msw)\//.test(file);

/**
 * @returns whether a server of the project answers a path; undefined where none defines one of v1, or one hands
 * on what it is asked
 */
export function answeredBy(files: readonly FoundFile[], textIn: (file: string) => string): ((path: string) => boolean) | undefined {
  const scripts = files.map(({ path: file }) => file).filter((file) => code.test(file));
  const projects = files.flatMap(({ path: file }) => (file.endsWith('package.json') && named.test(textIn(file)) ? dirname(file) : []));
  const projectOf = (file: string): string | undefined =>
    projects.filter((folder) => folder === '.' || file.startsWith(`${folder}/`)).toSorted((a, b) => b.length - a.length)[0];
  const serving = (projects.length === 0 ? [] : scripts)
    .map((file) => ({ project: isAside(file) ? undefined : projectOf(file), text: textIn(file) }))
    .filter(({ project, text }) => project !== undefined && named.test(text));
  if (serving.some(({ text }) => handsOn.test(text))) return undefined;
  const servers = [...Map.groupBy(serving, ({ project }) => project).values()]
    .map((texts) => [...new Set(texts.flatMap(({ text }) => piecesIn(text)))])
    .filter((pieces) => pieces.some((piece) => /\/v1(?:\/|$)/.test(piece)));
  if (servers.length === 0) return undefined;
  const composed = new RegExp(`^(?:${servers.map((pieces) => `(?:${pieces.map(escaped).join('|')})+`).join('|')})$`);
  return (path) => composed.test(resource.exec(path)?.[0] ?? '');
}

const heads = routeHeads.map((head) => head.slice('/v1'.length));
/** What follows the resource is its own. */
const resource = new RegExp(`^.*?/v1(?:${heads.map(escaped).join('|')})(?=/|$)`);

/** The paths that a text defines, each up to what is not written in it. */
function piecesIn(text: string): string[] {
  const names = [...given, ...Array.from(text.matchAll(made), ([, name = '']) => escaped(name))];
  const defining = new RegExp(
    String.raw`(?<![\w$.])(?:this\.)?(?:${names.join('|')})\s*(?:\.\w+\([^()\n]*\)\s*)*\.(?:use|all|get|post|put|patch|delete|route|mount|group|register|basePath|setGlobalPrefix|prefix)${path}`,
    'g',
  );
  const versioned = /\bVersioningType\.URI\b/.test(text) ? ['/v1'] : [];
  const found = [defining, decorated, option].flatMap((each) =>
    Array.from(text.matchAll(each), ({ groups }) => `/${groups?.['path'] ?? ''}`.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')),
  );
  // A wildcard says of no path that it is answered.
  return [...found, ...versioned].flatMap((piece) => (piece.includes('*') ? [] : piece.replace(/\/[:{].*$/, '') || []));
}
