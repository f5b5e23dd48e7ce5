import { randomUUID } from 'node:crypto';
import type { InternalAxiosRequestConfig } from 'axios';

export type Interceptor = (config: InternalAxiosRequestConfig) => InternalAxiosRequestConfig;

export const authenticate =
  (apiKey: string): Interceptor =>
  (config) => {
    config.headers.set('x-api-key', apiKey);
    return config;
  };

export const traced: Interceptor = (config) => {
  config.headers['x-request-id'] ??= randomUUID();
  return config;
};

export const timed: Interceptor = (config) => ({ ...config, timeout: config.timeout || 5_000 });
