/** What programs are servers by, as their texts say: each framework stands here by its name, by what makes a server of it, and by what hands requests on. */
import { escaped } from '../../find/words/literals.ts';

export const frameworks =
  'express fastify koa @koa/router koa-router hono restify polka h3 elysia itty-router connect @hapi/hapi find-my-way micro json-server';

/** What a file that defines routes names. */
export const namesFramework = new RegExp(
  `['"\`](?:${[...frameworks.split(' '), '@nestjs/core', '@nestjs/common'].map(escaped).join('|')})['"\`]`,
);

/** Others whose calls say which paths a server or a page of the user's own has. */
export const servingBeside =
  'http https http2 awilix-koa awilix-express aws-cdk-lib @nestjs/common @nestjs/core @nestjs/swagger routing-controllers tsoa @trpc/server next react-router react-router-dom vue-router @angular/router';

/** Of these, what lists the pages that it leads to. */
export const pageRouters = /^(?:vue-router|react-router(?:-dom)?|@angular\/router|@tanstack\/(?:react|vue|solid)-router|@solidjs\/router)$/;

/** What is called with the function that answers, by its package and its name. */
export const servesByFunction: ReadonlySet<string> = new Set([' Bun serve', 'bun serve', '@hono/node-server serve', 'srvx serve']);

/** What everybody calls a server of their own that they are given, beside routers. */
export const namesOfServers: readonly string[] = ['app', 'server', 'fastify'];

/** What tells of a text that it has a server. */
export const startsServer =
  /\b(?:createServer|(?:Bun|Deno)\.serve|serve\()|['"](?:express|fastify|koa|hono|restify|polka|h3|connect|@hono\/node-server|@hapi\/hapi)['"]/;

/** What logs the requests that a server gets, as `req`. */
export const loggingArrivals = /['"](?:fastify|pino-http|nestjs-pino|koa-pino-logger|express-pino-logger)['"]/;

/** What tells of a text that it answers requests itself. */
export const answersRequests = new RegExp(
  [
    `['"](?:${frameworks.split(' ').map(escaped).join('|')})['"]`,
    String.raw`@Controller\b|\bdefineEventHandler\b|\bexports\.handler\b|\bexport\s+default\s+(?:async\s+)?function\s+handler\b`,
    String.raw`\bexport\s+(?:async\s+)?(?:function|const)\s+(?:GET|POST|PUT|PATCH|DELETE|handler|loader|action)\b`,
  ].join('|'),
);

/** Functions that answer requests, of servers whose framework stands in another file, and of clouds: `(req, res) =>`, `exports.send = async (event) =>`. */
export const handlesRequests = new RegExp(
  [
    String.raw`\(\s*_?(?:req|request|ctx|context|event)\b[^()\n]{0,60},\s*_?(?:res|response|reply|next|context|callback|env|ctx)\b`,
    String.raw`\bexports\.\w+\s*=\s*(?:async\s*)?(?:function\s*\w*\s*)?\(?\s*(?:event|req|ctx)\b`,
    String.raw`\bon(?:Request|Call)\b|\b(?:Bun|Deno)\.serve\b|\bhandler\s*[:=(]`,
  ].join('|'),
);

/** What makes a server or router, under whatever name. Each part ends somewhere: texts may be one line. */
export const makingServers =
  /\b(?:const|let|var)\s+(\w+)\b(?:\s*:[^=\n]{1,200})?\s*=\s*(?:await\s+)?(?:new\s+)?(?:\w+\.)?(?:express|[fF]astify|\w*Router|Koa|Hono|OpenAPIHono|Elysia|polka|restify)\s*(?:\.\w+\s*)?(?:<[^\n]{0,200}?>)?\(/g;

/** Packages, and functions of h3, that hand on what they are asked, to whomever: there the path says nothing of who answers. */
export const handingOnRequests =
  /\b(?:from|require\s*\(|import\s*\()\s*["'`][^"'`\n]{0,100}?(?:prox(?:y|ies)|reply-from)\b|\b(?:createProxy\w*|proxyMiddleware|proxyRequest|sendProxy)\b/;

/** What passes calls of pages on: theirs come through the server, whatever it reads for itself. */
export const passingCallsOn = /\b(?:createProxyMiddleware|http-?proxy|proxyRequest|reply-from|rewrites)\b/i;
