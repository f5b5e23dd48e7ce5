import { inject, type App, type InjectionKey } from 'vue';
import { ApiClient, type ClientOptions } from '../api/client';

export const apiKey: InjectionKey<ApiClient> = Symbol('api');

export function createApi(options: ClientOptions) {
  const client = new ApiClient(options);
  return {
    client,
    install(app: App) {
      app.provide(apiKey, client);
    },
  };
}

export function useApi(): ApiClient {
  const api = inject(apiKey);
  if (!api) throw new Error('app.use(createApi(…)) is missing');
  return api;
}
