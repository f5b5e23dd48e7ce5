const { MessagingError } = require('../clients/messaging-client');

module.exports = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof MessagingError)) throw error;
    ctx.status = 502;
    ctx.body = { error: error.message };
  }
};
