/** The end of v1 (api.md §9): from the sunset on it is switched off; until then its answers may announce it. */
import type { Assumptions } from '../contract/assumptions.ts';
import { type Endpoint, type V1Endpoint, v2Endpoints } from '../contract/endpoints.ts';
import type { Clock } from './clock.ts';
import type { Refusal } from './outcome.ts';

export interface Sunset {
  /** Why v1 serves no call to this path any more, once the clock is at the sunset. */
  switchedOff(path: string): Refusal | undefined;
  /** The fields of RFC 9745 (Deprecation), RFC 8594 (Sunset) and RFC 8288 (Link) where they are switched on. */
  fields(endpoint: Endpoint | undefined): Readonly<Record<string, string>>;
}

/** @param announce whether v1's answers carry the fields; whether the real service sends them is not shown */
export function createSunset(clock: Clock, { sunsetAt, deprecatedSince }: Assumptions, announce: boolean): Sunset {
  const end = Date.parse(sunsetAt);
  const dates = { Deprecation: `@${Date.parse(deprecatedSince) / 1_000}`, Sunset: new Date(end).toUTCString() };
  return {
    switchedOff: (path) => (clock.now() >= end && /^\/v1(?:\/|$)/.test(path) ? { refused: 'gone' } : undefined),
    fields(endpoint) {
      if (!announce) return {};
      return isV1(endpoint) ? { ...dates, Link: `<${v2Endpoints[endpoint.successor].path}>; rel="successor-version"` } : dates;
    },
  };
}

function isV1(endpoint: Endpoint | undefined): endpoint is V1Endpoint {
  return endpoint !== undefined && 'successor' in endpoint;
}
