/** The fields with which v1 may announce its end. */
import type { Assumptions } from '../assumptions.ts';
import { assumed, text, textAmong } from './schema.ts';
import type { Header, Reference, Schema } from './types.ts';

const fields = ['Deprecation', 'Sunset', 'Link'] as const;

/** For each response of v1. */
export const announcements: Readonly<Record<string, Reference>> = Object.fromEntries(
  fields.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const announced = (description: string, schema: Schema): Header =>
  assumed('Whether v1 announces its end is not shown', { description, required: false, schema });

/** What they hold. */
export function announcementHeaders({ deprecatedSince, sunsetAt }: Assumptions): Record<(typeof fields)[number], Header> {
  const since = `@${Math.floor(Date.parse(deprecatedSince) / 1_000)}`;
  return {
    Deprecation: announced('RFC 9745', assumed('deprecatedSince', textAmong([since]))),
    Sunset: announced('RFC 8594', assumed('sunsetAt', textAmong([new Date(sunsetAt).toUTCString()]))),
    Link: announced('RFC 8288: where to read about the deprecation and the sunset, and the successor of the endpoint', text),
  };
}
