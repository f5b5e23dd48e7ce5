/** How a mapping can fail. */

export type MappingPlace = 'request.query' | 'request.body' | 'response.body';

/** Which expression of the configuration is meant; without a place, the endpoint's whole entry. */
export interface MappingWhere {
  readonly endpoint: string;
  readonly place?: MappingPlace;
}

export type MappingErrorCode =
  /** The configuration is wrong; only thrown at start. */
  | 'MAPPING_INVALID'
  /** What came in is not JSON, or has a name that no expression can be given: the fault of the client or, for a response, of v2. */
  | 'MAPPING_INPUT'
  /** The expression could not be evaluated for what came in, or what it gave cannot be sent: the fault of the configuration. */
  | 'MAPPING_FAILED';

/**
 * The message is one line and, like the cause of a MAPPING_INPUT or MAPPING_FAILED, holds nothing of the body or query:
 * those carry phone numbers and texts of people, and the engine's own messages quote them.
 */
export class MappingError extends Error {
  readonly code: MappingErrorCode;
  readonly endpoint: string;
  readonly place: MappingPlace | undefined;
  constructor(code: MappingErrorCode, { endpoint, place }: MappingWhere, text: string, cause?: unknown) {
    super(`mappings.${endpoint}${place === undefined ? '' : `.${place}`}: ${text}`.replaceAll(/\s+/g, ' '), { cause });
    this.name = 'MappingError';
    this.code = code;
    this.endpoint = endpoint;
    this.place = place;
  }
}
