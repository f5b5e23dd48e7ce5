import { createHash } from 'node:crypto';

/** How the proxy names itself in Via (RFC 9110 §7.6.3). */
export const viaName = 'migrate-v2';

/**
 * How proxies that record to one store name themselves to v1: by it, v1's log shows which calls are in that record. Others have our name, too.
 * @param secret that of the store, which the name does not tell
 */
export const viaNameOf = (secret: string): string =>
  `${viaName}-${createHash('sha256').update(`via ${secret}`).digest('hex').slice(0, 16)}`;

/** Whether a field has such a name among its proxies: `1.1 cdn, 1.1 migrate-v2-0123456789abcdef (comment)`. */
export const passedBy = (via: string, name: string): boolean => via.split(',').some((hop) => hop.trim().split(/\s+/)[1] === name);
