import Koa from 'koa';
import Router from '@koa/router';

const router = new Router({ prefix: '/v1' });
router.get('/messages', (ctx) => (ctx.body = { data: [] }));
router.post('/campaigns/:id/send', (ctx) => (ctx.body = { id: ctx.params.id }));

export default new Koa()
  .use(async (ctx, next) => {
    ctx.assert(ctx.get('x-api-key') === process.env.KEY, 401, 'Invalid API key');
    await next();
  })
  .use(router.routes());
