const Router = require('@koa/router');

const router = new Router({ prefix: '/v1' });

router.get('/contacts/:id/bookings', async (ctx) => {
  const { rooms } = ctx.state.container.cradle;
  ctx.body = await rooms.bookingsOf(ctx.params.id);
});

router.post('/contacts/:id/reminders', async (ctx) => {
  const reminders = ctx.state.container.resolve('reminderService');
  const messageId = await reminders.remind(ctx.params.id);
  ctx.status = messageId === undefined ? 404 : 202;
  ctx.body = { messageId };
});

router.put('/contacts/:id/phone', async (ctx) => {
  const { messaging } = ctx.state.container.cradle;
  ctx.body = await messaging.updateContact(ctx.params.id, { phone: ctx.query.phone });
});

router.post('/campaigns', async (ctx) => {
  ctx.body = { id: await ctx.state.container.resolve('seasonCampaign').start(ctx.query.season) };
});

module.exports = router;
