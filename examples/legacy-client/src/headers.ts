import { config } from './config.ts';

/** What every call to the messaging service carries. */
export function serviceHeaders() {
  return {
    'x-api-key': config.apiKey,
    'Content-Type': 'application/json',
  };
}
