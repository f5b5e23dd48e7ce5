import type { Config } from './config.ts';

export type NextEvent = (user: string) => Promise<{ title: string; at: string } | undefined>;

/** The calendar is another vendor's, and has a key of its own. */
export function createCalendar({ baseUrl, apiKey }: Config['calendar']): NextEvent {
  return async (user) => {
    if (apiKey === 'none') return undefined;
    const response = await fetch(`${baseUrl}/v1/users/${user}/next`, { headers: { 'x-api-key': apiKey } });
    return response.ok ? ((await response.json()) as { title: string; at: string }) : undefined;
  };
}
