export default defineNuxtPlugin(() => {
  const config = useRuntimeConfig();

  const messaging = $fetch.create({
    baseURL: `${config.messaging.baseUrl}/v1`,
    onRequest({ options }) {
      options.headers.set('x-api-key', config.messagingApiKey);
    },
    onResponseError({ response }) {
      console.error('messaging', response.status, response._data);
    },
  });

  return {
    provide: { messaging },
  };
});
