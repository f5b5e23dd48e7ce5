export default defineEventHandler(async (event) => {
  const { page = 1, limit = 50 } = getQuery(event);
  return await messagingFetch('/v1/contacts', { query: { page, limit } });
});
