/** The fields with which v1 may announce its end. */
import { announcementFields, deprecationValue, sunsetValue } from '../contract/announcement.ts';
import type { Assumptions } from '../contract/assumptions.ts';
import { assumed, text, textAmong } from './schema.ts';
import type { Header, Reference, Schema } from './types.ts';

/** For each response of v1. */
export const announcements: Readonly<Record<string, Reference>> = Object.fromEntries(
  Object.values(announcementFields).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const announced = (description: string, schema: Schema): Header =>
  assumed('Whether v1 announces its end is not shown', { description, required: false, schema });

/** What they hold. */
export function announcementHeaders({ deprecatedSince, sunsetAt }: Assumptions): Readonly<Record<string, Header>> {
  const { deprecation, sunset, link } = announcementFields;
  return {
    [deprecation]: announced('RFC 9745', assumed('deprecatedSince', textAmong([deprecationValue(deprecatedSince)]))),
    [sunset]: announced('RFC 8594', assumed('sunsetAt', textAmong([sunsetValue(sunsetAt)]))),
    [link]: announced('RFC 8288: where to read about the deprecation and the sunset, and the successor of the endpoint', text),
  };
}
