/** What programs are servers by, as their texts say. */
import { escaped } from './literals.ts';

export const frameworks =
  'express fastify koa @koa/router koa-router hono restify polka h3 elysia itty-router connect @hapi/hapi find-my-way micro json-server';

/** What tells of a text that it answers requests itself. */
export const answersRequests = new RegExp(
  [
    `['"](?:${frameworks.split(' ').map(escaped).join('|')})['"]`,
    String.raw`@Controller\b|\bdefineEventHandler\b|\bexports\.handler\b|\bexport\s+default\s+(?:async\s+)?function\s+handler\b`,
    String.raw`\bexport\s+(?:async\s+)?(?:function|const)\s+(?:GET|POST|PUT|PATCH|DELETE|handler|loader|action)\b`,
  ].join('|'),
);
