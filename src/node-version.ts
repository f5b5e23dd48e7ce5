// Runs on old Nodes too: see cli/bin.ts.

export const name = 'migrate-v2';

/** The oldest Node that has all that is used: `engines` in package.json, as a major and a minor version. */
const least = [22, 21] as const;

/** The release to recommend: the one the project itself runs on. */
export const recommended = 24;

/**
 * Says what is wrong where this Node is too old for the package.
 * @param version the running Node's version, such as `20.11.1`
 * @returns an empty text where the version will do
 */
export function nodeProblem(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = least;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return '';
  return `${name} needs Node >=${least.join('.')}, this is ${version}`;
}
