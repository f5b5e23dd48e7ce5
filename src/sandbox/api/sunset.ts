/** The end of v1 (api.md §9): from the sunset on it is switched off; its answers may announce that. */
import { announcementFields, deprecationValue, sunsetValue } from '../../contract/announcement.ts';
import type { Assumptions } from '../../contract/assumptions.ts';
import { type Endpoint, type V1Endpoint, v2Endpoints } from '../../contract/endpoints.ts';
import type { Clock } from '../clock/clock.ts';
import type { Refusal } from '../service/outcome.ts';

/** The endpoint that a request is for, and the id in its path; empty where there is none. */
export interface Place {
  readonly endpoint: Endpoint;
  readonly id: string;
}

export interface Sunset {
  /** Why v1 serves no call to this path any more, once the clock is at the sunset. */
  switchedOff(path: string): Refusal | undefined;
  /** The fields of RFC 9745 (Deprecation), RFC 8594 (Sunset) and RFC 8288 (Link) for an answer of v1, where they are switched on. */
  fields(path: string, place: Place | undefined): Readonly<Record<string, string>>;
}

/** @param announce whether v1's answers carry the fields, after the sunset too; whether the real service sends them is not shown */
export function createSunset(clock: Clock, assumptions: Assumptions, announce: boolean): Sunset {
  const end = Date.parse(assumptions.sunsetAt);
  const dates = {
    // The deprecation may lie in the future, so the clock has no say in it.
    [announcementFields.deprecation]: deprecationValue(assumptions.deprecatedSince),
    [announcementFields.sunset]: sunsetValue(assumptions.sunsetAt),
  };
  // While the guide's address is not known, the links point to the base address of v2, which is our own.
  const guide = assumptions.migrationGuideUrl || '/';
  const links = `<${guide}>; rel="deprecation", <${guide}>; rel="sunset"`;
  return {
    switchedOff: (path) => (clock.now() >= end && isOfV1(path) ? { refused: 'gone' } : undefined),
    fields(path, place) {
      if (!announce || !isOfV1(path)) return {};
      const successor = successorOf(place);
      const link = successor === undefined ? links : `${links}, <${successor}>; rel="successor-version"`;
      return { ...dates, [announcementFields.link]: link };
    },
  };
}

function isOfV1(path: string): boolean {
  return /^\/v1(?:\/|$)/.test(path);
}

/** Where v2 does the same to the same resource (RFC 5829 §3.3). The id is encoded anew: what a client writes must not end the link. */
function successorOf(place: Place | undefined): string | undefined {
  if (place === undefined || !isV1(place.endpoint)) return undefined;
  const { path } = v2Endpoints[place.endpoint.successor];
  // Without the id that the path wants, there is no such resource.
  return path.includes(':id') && place.id === '' ? undefined : path.replace(':id', () => encodeURIComponent(place.id));
}

function isV1(endpoint: Endpoint): endpoint is V1Endpoint {
  return 'successor' in endpoint;
}
