/** Partners show a key of ours. */
export default defineEventHandler((event) => {
  if (!event.path.startsWith('/api/v1/')) return;
  const key = getHeader(event, 'x-api-key');
  if (key !== process.env.PARTNER_KEY) {
    throw createError({ statusCode: 401, statusMessage: 'Unknown partner' });
  }
});
