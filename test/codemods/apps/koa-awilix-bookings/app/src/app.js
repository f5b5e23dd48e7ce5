const Koa = require('koa');
const config = require('./config');
const errors = require('./middleware/errors');
const hotelKey = require('./middleware/hotel-key');
const requestScope = require('./middleware/request-scope');
const router = require('./routes/bookings');

module.exports = function createApp(container) {
  const app = new Koa();
  app.use(errors);
  app.use(hotelKey(config));
  app.use(requestScope(container));
  app.use(router.routes()).use(router.allowedMethods());
  return app;
};
