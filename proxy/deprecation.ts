/** The deprecation fields on every v1 answer: Deprecation (RFC 9745), Sunset (RFC 8594) and three Link relations. */
import type { Assumptions } from '../src/contract/assumptions.ts';

/** Names of the fields that v1 answers carry from us; v2's own would speak about v2. */
export const deprecationFieldNames: ReadonlySet<string> = new Set(['deprecation', 'sunset']);

// RFC 3986: the characters a path may have. Anything else could break out of the <> of a Link field.
const pathCharacters = /^[\w\-.~!$&'()*+,;=:@%/]*$/;

/**
 * Makes the function that gives the fields for one answer.
 * @param v2Base where the guide's address is not known, the Link fields point here
 * @returns from the successor's path (or undefined on an unlisted path) to names and values in turn
 */
export function deprecationFields(assumptions: Assumptions, v2Base: string): (successor: string | undefined) => string[] {
  const deprecation = `@${Date.parse(assumptions.deprecatedSince) / 1000}`;
  const sunset = new Date(assumptions.sunsetAt).toUTCString();
  const guide = assumptions.migrationGuideUrl === '' ? v2Base : assumptions.migrationGuideUrl;
  const links = `<${guide}>; rel="deprecation", <${guide}>; rel="sunset"`;
  return (successor) => {
    const target = successor !== undefined && pathCharacters.test(successor) ? successor : '/v2';
    return ['Deprecation', deprecation, 'Sunset', sunset, 'Link', `${links}, <${target}>; rel="successor-version"`];
  };
}
