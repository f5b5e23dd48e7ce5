/** How the proxy names itself in Via (RFC 9110 §7.6.3): by it, the logs of what stands behind it show which calls it has recorded. */
export const viaName = 'migrate-v2';
