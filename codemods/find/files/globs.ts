/** The patterns of `--include` and `--exclude`. */
import ignore from 'ignore';

export type Matcher = (path: string) => boolean;

/**
 * Patterns as in a .gitignore, relative to the working directory, and `{a,b}` for alternatives: `*.ts` is any depth, `src/` a folder.
 * @returns whether a path matches one of them; undefined where there are none
 */
export function globsOf(patterns: readonly string[] | undefined): Matcher | undefined {
  if (patterns === undefined || patterns.length === 0) return undefined;
  // Paths given to the run may lie outside the working directory.
  const rules = ignore({ ignoreCase: false, allowRelativePaths: true }).add(
    patterns.map((pattern) => pattern.replace(/^\.\//, '/')).flatMap(alternatives),
  );
  return (path) => rules.ignores(path);
}

/** `a{b,c}d` is `abd` and `acd`, which .gitignore patterns cannot say. */
function alternatives(pattern: string): string[] {
  const [whole, inner] = /\{([^{}]*,[^{}]*)\}/.exec(pattern) ?? [];
  if (whole === undefined || inner === undefined) return [pattern];
  return inner.split(',').flatMap((each) => alternatives(pattern.replace(whole, () => each)));
}
