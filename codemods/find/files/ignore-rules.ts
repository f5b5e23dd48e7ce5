/** Which paths are ignored, as git decides it: nested files of rules, the deepest that says anything wins. */
import ignore, { type Ignore } from 'ignore';
import { excludeText, readIfThere } from './repository.ts';

/** Rules that apply below one folder. */
interface RuleSet {
  /** The absolute folder that patterns are relative to, with a `/` at its end. */
  readonly base: string;
  readonly rules: Ignore;
}

/** The sets that apply in a folder, the weakest first: `.git/info/exclude`, then the folders' files from the root down. */
export interface Rules {
  readonly git: readonly RuleSet[];
  /** From `.migrate-v2-ignore` files, which say what this tool leaves alone. */
  readonly own: readonly RuleSet[];
}

export const noRules: Rules = { git: [], own: [] };
export const ruleFileNames = { git: '.gitignore', own: '.migrate-v2-ignore' } as const;
const layers = ['git', 'own'] as const;

// Names differ by case wherever git says they do, which it does on Linux only.
const ignoreCase = process.platform === 'darwin' || process.platform === 'win32';
const rulesOf = (text: string): Ignore => ignore({ ignoreCase }).add(text);

/**
 * The rules in a folder: those from above, and what its own files add.
 * @param folder absolute, with a `/` at its end
 * @param has whether the folder holds a file of this name
 */
export function rulesIn(above: Rules, folder: string, has: (name: string) => boolean): Rules {
  const read = (name: string): RuleSet[] => {
    const text = has(name) ? readIfThere(folder + name) : undefined;
    return text === undefined ? [] : [{ base: folder, rules: rulesOf(text) }];
  };
  // Another repository within this one is not subject to its rules.
  const isRoot = has('.git');
  const excluded = isRoot ? excludeText(folder) : undefined;
  const inherited = isRoot ? (excluded === undefined ? [] : [{ base: folder, rules: rulesOf(excluded) }]) : above.git;
  const git = [...inherited, ...read(ruleFileNames.git)];
  const own = [...above.own, ...read(ruleFileNames.own)];
  return { git, own };
}

/** Examples of settings: people commit these, though `.env*` is what their git ignores, and git itself goes by what is committed. */
const example = /\/\.env\.(?:example|sample|template|dist)$/;

/**
 * Whether a path is ignored.
 * @param path absolute; a folder's ends in `/`
 */
export const isIgnored = (rules: Rules, path: string): boolean =>
  layers.some((layer) => verdict(rules[layer], path) === 'ignored' && !(layer === 'git' && example.test(path)));

/** Whether git alone ignores a file: what this tool is told to leave alone is left alone. */
export const isIgnoredByGit = (rules: Rules, path: string): boolean =>
  verdict(rules.git, path) === 'ignored' && verdict(rules.own, path) !== 'ignored';

function verdict(sets: readonly RuleSet[], path: string): 'ignored' | 'kept' | undefined {
  for (let index = sets.length - 1; index >= 0; index -= 1) {
    const set = sets[index];
    if (set === undefined) continue;
    const { ignored, unignored } = set.rules.test(path.slice(set.base.length));
    if (ignored) return 'ignored';
    if (unignored) return 'kept';
  }
  return undefined;
}

/**
 * The rules inside a folder that is entered though some set ignores it: because a deeper one takes it back, or because the user named it.
 * The library applies what it says of a folder to everything below; git decides anew in each folder it enters.
 * @param folder absolute, with a `/` at its end
 */
export function enter(rules: Rules, folder: string): Rules {
  const opened = (set: RuleSet): RuleSet => {
    const relative = folder.slice(set.base.length);
    if (relative === '' || !set.rules.test(relative).ignored) return set;
    return { base: set.base, rules: rulesOf('').add(set.rules).add(ancestors(relative)) };
  };
  return { git: rules.git.map(opened), own: rules.own.map(opened) };
}

/** `a/b/` is taken back by `!/a/` and `!/a/b/`. */
function ancestors(relative: string): string[] {
  const parts = relative.split('/').slice(0, -1);
  return parts.map(
    (_, index) =>
      `!/${parts
        .slice(0, index + 1)
        .map(escaped)
        .join('/')}/`,
  );
}

/** A name as a pattern that matches nothing else. */
const escaped = (name: string): string => name.replaceAll(/[\\*?[\] ]/g, (special) => `\\${special}`);
