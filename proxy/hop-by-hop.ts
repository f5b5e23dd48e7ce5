/** Which fields a proxy passes on, and which only concern one connection (RFC 9110 §7.6). */

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-authentication-info',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Whether a field (name in lower case) concerns only this connection, by itself. */
export function isHopByHop(name: string): boolean {
  return hopByHop.has(name);
}

/**
 * The field names (lower case) that a Connection field nominates besides its common options.
 * @returns undefined where there is nothing to remove, which is nearly always
 */
export function nominatedBy(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined) return undefined;
  const options = connection.toLowerCase();
  if (options === 'keep-alive' || options === 'close') return undefined;
  const names = options
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '' && option !== 'keep-alive' && option !== 'close');
  return names.length === 0 ? undefined : new Set(names);
}

/**
 * Bytes of interim answers before one final answer at most. They are written to the client as they come, whether it reads or not: without a
 * bound, v2 could fill the memory with them. Counted as bytes, as Go's net/http does it, because a long job may well say that it goes on.
 */
export const maxInterim = 64 * 1024;

/** How much an interim answer counts: its fields (names and values in turn), and its status line. */
export function interimSize(fields: readonly { readonly length: number }[]): number {
  return fields.reduce((sum, { length }) => sum + length + 2, 30);
}
