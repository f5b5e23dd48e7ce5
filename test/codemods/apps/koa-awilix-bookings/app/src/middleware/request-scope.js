const { asValue } = require('awilix');

module.exports = (container) => async (ctx, next) => {
  ctx.state.container = container.createScope();
  ctx.state.container.register({ hotel: asValue(ctx.get('x-hotel') || 'unknown') });
  await next();
};
