/** Hotels show the key that we gave them. */
module.exports = ({ hotelKey }) => async (ctx, next) => {
  if (ctx.path.startsWith('/v1/') && ctx.get('x-api-key') !== hotelKey) ctx.throw(401, 'Whose key is that?');
  await next();
};
