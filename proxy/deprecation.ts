/** The deprecation fields on every v1 answer: Deprecation (RFC 9745), Sunset (RFC 8594) and three Link relations. */
import { announcementFields, deprecationValue, sunsetValue } from '../src/contract/announcement.ts';
import type { Assumptions } from '../src/contract/assumptions.ts';

/** Names of the fields that v1 answers carry from us; v2's own would speak about v2. */
export const deprecationFieldNames: ReadonlySet<string> = new Set(
  [announcementFields.deprecation, announcementFields.sunset].map((name) => name.toLowerCase()),
);

// RFC 3986: the characters a path may have; anything else could break out of the <> of a Link field, and `//` leads to another host.
const pathCharacters = /^(?!\/\/)[\w\-.~!$&'()*+,;=:@%/]*$/;

/**
 * The fields for one answer, names and values in turn.
 * @param successor path of the successor; undefined on an unlisted path
 * @param mount path under which a framework has mounted the proxy
 */
export type DeprecationFields = (successor: string | undefined, mount: string) => string[];

/**
 * Makes the function that gives the fields for one answer.
 * @param v2Base where the guide's address is not known, the Link fields point here
 */
export function deprecationFields(assumptions: Assumptions, v2Base: string): DeprecationFields {
  const { deprecation, sunset, link } = announcementFields;
  const dates = [deprecation, deprecationValue(assumptions.deprecatedSince), sunset, sunsetValue(assumptions.sunsetAt)];
  const guide = assumptions.migrationGuideUrl === '' ? v2Base : assumptions.migrationGuideUrl;
  const links = `<${guide}>; rel="deprecation", <${guide}>; rel="sunset"`;
  return (successor, mount) => {
    const path = mount + (successor ?? '/v2');
    const target = pathCharacters.test(path) ? path : '/v2';
    return [...dates, link, `${links}, <${target}>; rel="successor-version"`];
  };
}
