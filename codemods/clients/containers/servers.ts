/** How servers hand things to their handlers by name: on the application, the request and the context. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { named } from '../names.ts';
import { first } from '../pass-through.ts';
import { pluginOptions } from '../plugins.ts';

/** https://fastify.dev/docs/latest/Reference/Decorators/ */
const fastify = /['"](?:fastify(?:-plugin)?|@fastify\/[\w-]+)['"]/;
/** What is put on a Fastify server, its requests and replies. */
export const fastifySpace = 'fastify';
export const fastifyLibrary: ClientRule = {
  name: 'fastify',
  functions: { 'fastify-plugin:': first, 'fastify-plugin:fastifyPlugin': first },
  // https://github.com/fastify/fastify-autoload
  folderLoaders: /^(?:@fastify\/|fastify-)autoload$/,
  ...pluginOptions(/^register$/),
  carries: [
    named({
      where: fastify,
      space: fastifySpace,
      puts: { method: /^decorate(?:Request|Reply)?$/ },
      writes: /^(?:req|request|reply)$/,
      asks: { method: /^getDecorator$/ },
      reads: /^(?:fastify|app|server|instance|scope|req|request|reply|this)$/,
    }),
  ],
};

/** https://koajs.com/#app-context */
const koa = /['"]koa['"]/;
export const koaLibrary: ClientRule = {
  name: 'koa',
  carries: [
    named({ where: koa, space: 'koa', writes: /^(?:ctx|context)$/, reads: /^(?:ctx|context|this)$/ }),
    named({ where: koa, space: 'koa state', writes: /^state$/, reads: /^state$/ }),
  ],
};

/** https://expressjs.com/en/api.html#app.locals, and what its middleware puts on requests. */
const express = /['"]express['"]/;
export const expressLibrary: ClientRule = {
  name: 'express',
  carries: [
    named({ where: express, space: 'express', writes: /^(?:req|request)$/, reads: /^(?:req|request)$/ }),
    named({ where: express, space: 'express locals', writes: /^locals$/, reads: /^locals$/ }),
    named({
      where: express,
      space: 'express settings',
      puts: { method: /^set$/, on: /^(?:app|server)$/ },
      asks: { method: /^get$/, on: /^(?:app|server)$/ },
    }),
  ],
};
