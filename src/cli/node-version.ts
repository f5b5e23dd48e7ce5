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
 * @param args the arguments of the command line; only the command among them is repeated, as a flag's value may be a secret
 * @returns one line, or an empty text where the version will do
 */
export function nodeProblem(version: string, { name, engines }: Wanted, args: readonly string[]): string {
  const [major, minor] = numbers(version);
  const [leastMajor, leastMinor] = numbers(engines.node);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return '';
  // Behind a flag, what looks like the command may be the flag's value.
  const command = args.slice(0, 1).filter((first) => !first.startsWith('-'));
  const remedy = [`npx -p node@${recommended} -p ${name} ${name}`, ...command].join(' ');
  const same = args.length > command.length ? ' with the same arguments' : '';
  return `${name} needs Node ${engines.node}, this is ${version}; run${same}: ${remedy}`;
}

function numbers(version: string): [number, number] {
  const found = /(\d+)\.(\d+)/.exec(version);
  return found === null ? [0, 0] : [Number(found[1]), Number(found[2])];
}
