/** What no call was seen to use: beside something that this run moves it may no longer fit, and beside calls that were too much to follow these may use it. */
import type { Edit, Finding } from '../../model.ts';

/** @param components the files that hang together by imports */
export function besideMoved(
  findings: readonly Finding[],
  edits: readonly Edit[],
  components: readonly (readonly { readonly file: string }[])[],
): readonly Finding[] {
  const withImports = (files: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([
      ...files,
      ...components
        .filter((component) => component.some(({ file }) => files.has(file)))
        .flat()
        .map(({ file }) => file),
    ]);
  const edited = new Set(edits.map(({ file }) => file));
  const near = withImports(edited);
  const cut = withImports(new Set(findings.flatMap(({ code, file }) => (code === 'too-complex' ? file : []))));
  // Apps Script asks no address that the manifest of the project does not allow.
  const isAllowedBy = (file: string): boolean => {
    const [, project] = /^((?:.*\/)?)appsscript\.json$/.exec(file) ?? [];
    return project !== undefined && [...edited].some((other) => other.startsWith(project) && /\.(?:gs|[jt]s)$/.test(other));
  };
  // A recording is read by its name, wherever it lies.
  const unconsumed = new Set(findings.flatMap((each) => (each.code === 'unconsumed' ? lineOf(each) : [])));
  // Infrastructure may name the variable one line above its value.
  const setting = new Set(
    findings.flatMap((each) => (each.code === 'env-elsewhere' ? [lineOf(each), lineOf({ ...each, line: each.line + 1 })] : [])),
  );
  // So it may in another file of the module.
  const isDeployed = findings.some((each) => each.code === 'env-elsewhere' && isDeployment.test(each.file));
  const isBeside = (each: Finding): boolean =>
    near.has(each.file) ||
    (isDeployed && isDeployment.test(each.file)) ||
    isAllowedBy(each.file) ||
    setting.has(lineOf(each)) ||
    (each.detail['how'] === 'recorded' && edits.length > 0);
  return findings
    .filter((each) => each.code !== 'env-elsewhere' || !unconsumed.has(lineOf(each)))
    .map((each) => {
      if (each.code !== 'unconsumed' || each.detail['how'] === 'run') return each;
      if (isBeside(each)) return { ...each, detail: { ...each.detail, how: 'moved' } };
      return Object.keys(each.detail).length === 0 && cut.has(each.file) ? { ...each, detail: { how: 'cut' } } : each;
    });
}

const isDeployment = /\.(?:tf|tfvars|bicep|bicepparam)$/;

const lineOf = ({ file, line }: Pick<Finding, 'file' | 'line'>): string => `${file}:${line}`;
