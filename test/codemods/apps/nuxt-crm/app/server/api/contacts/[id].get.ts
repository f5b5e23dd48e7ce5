export default defineEventHandler(async (event) => {
  const id = getRouterParam(event, 'id');
  const config = useRuntimeConfig(event);

  return await $fetch(`${config.messaging.baseUrl}/v1/contacts/${id}`, {
    headers: {
      'x-api-key': config.messagingApiKey,
    },
  });
});
