// Runs on old Nodes too: see bin.ts.

/** What package.json says that the check needs. */
interface Wanted {
  readonly name: string;
  /** `node` in the form `>=22.21`. */
  readonly engines: { readonly node: string };
}

/** The release to recommend: the one the project itself runs on. */
const recommended = 24;

/**
 * Says what to do where this Node is too old for the package.
 * @param version the running Node's version, such as `20.11.1`
 * @param args the arguments of the command line, for the command to paste
 * @returns one line, or an empty text where the version will do
 */
export function nodeProblem(version: string, { name, engines }: Wanted, args: readonly string[]): string {
  const [major, minor] = numbers(version);
  const [leastMajor, leastMinor] = numbers(engines.node);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return '';
  const command = [`npx -p node@${recommended} -p ${name} ${name}`, ...args].join(' ');
  return `${name} needs Node ${engines.node}, this is ${version}; run: ${command}`;
}

function numbers(version: string): [number, number] {
  const found = /(\d+)\.(\d+)/.exec(version);
  return found === null ? [0, 0] : [Number(found[1]), Number(found[2])];
}
