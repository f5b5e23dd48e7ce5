/** Bundles that an action of GitHub runs as they are committed: of such build output it is told that nothing else is asked by, whatever becomes of its sources. */
import { dirname, join } from 'node:path/posix';
import type { FoundFile } from '../../find/walk.ts';
import type { Finding, Plan } from '../../model.ts';

const isAction = /(?:^|\/)action\.ya?ml$/;
/** `main: 'dist/index.js'`, and what runs before and after. */
const running = /(?:^[ \t]+|[{,][ \t]*)(?:main|pre|post):[ \t]*["']?([^\s"'#,}]+)/gm;

export function withActionBundles<P extends Pick<Plan, 'findings'>>(
  plan: P,
  files: readonly FoundFile[],
  textIn: (file: string) => string,
): P {
  if (!plan.findings.some(isBuilt)) return plan;
  const actions = new Map(files.filter(({ path }) => isAction.test(path)).flatMap(({ path }) => runBy(path, textIn(path))));
  const told = (finding: Finding): Finding => {
    const action = isBuilt(finding) ? actions.get(finding.file) : undefined;
    return action === undefined ? finding : { ...finding, detail: { ...finding.detail, action } };
  };
  return actions.size === 0 ? plan : { ...plan, findings: plan.findings.map(told) };
}

const isBuilt = ({ code }: Finding): boolean => code === 'generated';

/** The files that an action runs, each with the action. */
const runBy = (action: string, text: string): [string, string][] =>
  [...text.matchAll(running)].map(([, file = '']) => [join(dirname(action), file), action]);
