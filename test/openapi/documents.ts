/** The OpenAPI documents, and what stands in them. */
import { type Assumptions, assume } from '../../src/contract/assumptions.ts';
import { errorDialects, successEnvelopes } from '../../src/contract/dialects.ts';
import { openapiDocument } from '../../src/openapi/document.ts';
import type { Api, OpenApiDocument, Operation } from '../../src/openapi/types.ts';

export const apis = ['v1', 'v2'] as const;

export const document = (api: Api, overrides: Partial<Assumptions> = {}): OpenApiDocument =>
  openapiDocument(api, { dialect: 'v1', envelope: 'v1', assumptions: assume(overrides) });

/** Every way in which v2 can write; v1 has one. */
export const readings = errorDialects.flatMap((dialect) =>
  successEnvelopes.map((envelope) => ({ dialect, envelope, assumptions: assume() })),
);

export const operations = ({ paths }: OpenApiDocument): readonly Operation[] => Object.values(paths).flatMap((item) => Object.values(item));

export function operation(from: OpenApiDocument, id: string): Operation {
  const found = operations(from).find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}
