/** Data that a framework lays over other data by the names of the files. */

/**
 * Files that LoopBack lays over what a file of data sources says, `datasources.production.js` over `datasources.json`: https://loopback.io/doc/en/lb3/Environment-specific-configuration.html
 */
export function isLaidOver(file: string, other: string): boolean {
  const [, folder] = /^(.*)\bdatasources\.json$/s.exec(file) ?? [];
  return folder !== undefined && other.startsWith(folder) && /^datasources\.[\w-]+\.(?:json|[cm]?js|ts)$/.test(other.slice(folder.length));
}
