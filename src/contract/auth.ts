/** How each version authenticates a request (api.md §5). */

export const v1Auth = {
  /** The one field that carries the key; its name in lower case, as field names are case-insensitive (RFC 9110 §5.1). */
  field: 'x-api-key',
} as const;

export const v2Auth = {
  field: 'authorization',
  /** The field's name as it is written. */
  fieldName: 'Authorization',
  scheme: 'Bearer',
} as const;

/** Whether a name is that of v1's field for the key, in whatever letters. */
export const isKeyHeader = (name: string | undefined): boolean =>
  name?.length === v1Auth.field.length && name.toLowerCase() === v1Auth.field;

/** The same of v2's field. */
export const isAuthorization = (name: string | undefined): boolean =>
  name?.length === v2Auth.field.length && name.toLowerCase() === v2Auth.field;

/** The value of v2's field for a key. */
export const bearer = (key: string): string => `${v2Auth.scheme} ${key}`;

/** What v1 says to a call without a key that may be used (api.md §7): one of these. */
export const keyTexts = { missing: 'Missing API key', invalid: 'Invalid API key', expired: 'API key expired' } as const;

/** What a key may do. `read` keys may only GET. */
export const keyAccesses = ['read', 'read-write'] as const;
export type KeyAccess = (typeof keyAccesses)[number];
/** The states of a key that api.md §3 names. */
export type KeyState = 'active' | 'deleted' | 'expired';
