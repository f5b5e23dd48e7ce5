import { DEFAULT_BASE_URL, DEFAULT_TIMEOUT_MS } from './constants.js';

export interface ClientOptions {
  apiKey: string;
  /** For tests, and for whoever has a proxy in between. */
  baseUrl?: string;
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
  onEvent?: (name: string, detail: Record<string, unknown>) => void;
}

export type ResolvedOptions = Required<Omit<ClientOptions, 'onEvent'>> & Pick<ClientOptions, 'onEvent'>;

export function resolveOptions(options: ClientOptions): ResolvedOptions {
  if (!options.apiKey) throw new TypeError('apiKey is required');
  return {
    apiKey: options.apiKey,
    baseUrl: (options.baseUrl ?? DEFAULT_BASE_URL).replace(/\/+$/, ''),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    fetch: options.fetch ?? globalThis.fetch,
    onEvent: options.onEvent,
  };
}
