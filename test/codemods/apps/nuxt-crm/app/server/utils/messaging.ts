interface MessagingOptions {
  method?: 'GET' | 'POST' | 'PUT';
  body?: Record<string, unknown>;
  query?: Record<string, unknown>;
}

/** Auto-imported by Nitro in everything below server/. */
export const messagingFetch = <T>(path: string, options: MessagingOptions = {}) => {
  const config = useRuntimeConfig();
  return $fetch<T>(path, {
    baseURL: config.messaging.baseUrl,
    ...options,
    headers: { 'x-api-key': config.messagingApiKey, accept: 'application/json' },
  });
};
