// Runs on old Nodes too: see bin.ts. They do not know the prefix `node:`.
/** How this package is run again in the same folder: what is printed to be pasted must work there, however the package came to be there. */
import { readFileSync } from 'fs';
import { dirname, extname, join, relative, resolve, sep } from 'path';
import { fileURLToPath } from 'url';
import { name, recommended } from '../node-version.ts';

/** Where a process of the package runs. */
export interface Place {
  /** The file of its command line, without symbolic links. */
  readonly bin: string;
  /** The file of its Node. */
  readonly node: string;
  readonly cwd: string;
}

/** Of this process. */
export const here = (): Place => {
  const file = fileURLToPath(import.meta.url);
  return { bin: join(dirname(file), `bin${extname(file)}`), node: process.execPath, cwd: process.cwd() };
};

/** One word for a POSIX shell. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, String.raw`'\''`)}'`);

/**
 * The words before the arguments, on the Node that runs now.
 *
 * Where npx brought that Node along, the one of the machine may be too old, and npx is told to bring it again.
 */
export function invocation(place: Place): string {
  if (place.node.indexOf(`${sep}_npx${sep}`) !== -1) return invocationOnNewNode(place);
  return `npx ${shellWord(specOf(place) || name)}`;
}

/** The words before the arguments, on a Node that will do. npx does not ask whether it may bring it: nobody may be there to answer. */
export function invocationOnNewNode(place: Place): string {
  const spec = specOf(place);
  const node = `npx -y -p node@${recommended}`;
  if (spec !== '') return `${node} -p ${shellWord(spec)} ${name}`;
  const path = relative(place.cwd, place.bin);
  return `${node} node ${shellWord(path.slice(0, 2) === '..' ? place.bin : path)}`;
}

/** Of arguments, any of these may hold what must not be shown: a secret, or an address with a password. */
const secretive = /secret|token|key|password|store|post|headers|@/i;

/**
 * What to do where the Node of this place is too old.
 * @param args the arguments that were given; where one may hold a secret, only the command among them is repeated
 */
export function remedy(place: Place, args: readonly string[]): string {
  const isShown = !args.some((argument) => secretive.test(argument));
  // Behind a flag, what looks like the command may be the flag's value.
  const shown = isShown ? args : args.slice(0, 1).filter((first) => first[0] !== '-' && !secretive.test(first));
  const command = [invocationOnNewNode(place), ...shown.map(shellWord)].join(' ');
  return `run${isShown ? '' : ' with the same arguments'}: ${command}`;
}

/** By what npx finds this package; empty where it would have to look for it elsewhere: for a clone, or what is installed for all projects. */
function specOf({ bin, cwd }: Place): string {
  const [folder = '', ...rest] = bin.split(`${sep}node_modules${sep}${name}${sep}`);
  if (rest.length === 0) return '';
  const { _npx, dependencies = {} } = manifestOf(folder);
  if (_npx !== undefined) {
    // In npx's cache, the path of a tarball is written as seen from there.
    const [, path] = /^file:(.+)/.exec(dependencies[name] || '') || [];
    return path === undefined ? name : resolve(folder, path);
  }
  return `${cwd}${sep}`.indexOf(`${folder}${sep}`) === 0 ? name : '';
}

interface Manifest {
  readonly _npx?: object;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    // A folder of packages needs none.
    return {};
  }
}
