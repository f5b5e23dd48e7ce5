export default defineEventHandler(async (event) => {
  const body = await readBody(event);
  if (!body?.phone) {
    throw createError({ statusCode: 400, statusMessage: 'phone is required' });
  }
  return await messagingFetch('/v1/contacts', { method: 'POST', body });
});
