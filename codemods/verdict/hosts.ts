/** What the name of a host says of who answers there. */

/** The machine itself, and names that nobody can have (RFC 6761). */
const loopback = /^(?:(?:[\w-]+\.)*(?:localhost|test|invalid)|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?::|$)/i;

/** Whether a host is a name that nobody can have. */
export const isNobodys = (host: string): boolean => /(?:^|\.)(?:test|invalid)(?::|$)/i.test(host);

/** Whether a host is the machine itself, or no host at all, with any port. */
export const isLoopback = (host: string): boolean => loopback.test(host);

/** Names without a dot are those of containers and of the machine itself. */
export function isLocal(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return !name.includes('.') || /^(?:127\.|10\.|192\.168\.|0\.0\.0\.0$)|\.(?:local|localhost|internal|test)$/.test(name);
}
