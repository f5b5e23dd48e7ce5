export const SDK_VERSION = '2.3.0';

/** Part of every path. */
export const API_VERSION = 'v1';

export const DEFAULT_BASE_URL = 'https://api.example.com';
export const DEFAULT_TIMEOUT_MS = 10_000;
export const API_KEY_HEADER = 'x-api-key';
