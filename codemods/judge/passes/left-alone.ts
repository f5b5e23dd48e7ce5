/** What a comment leaves alone (`// migrate-v2-ignore: reason`), of what is told of all files: whoever put it there, as a report advises, is not told again. */
import type { Finding, FindingCode, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import { exempted } from '../../verdict/directive-comments.ts';

/** What may be right as it is, and holds nothing back. */
export const mayBeRight: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'new-endpoint',
  'base-not-proven',
  'env-elsewhere',
  'minute-limit',
  'limit-code',
  'retry-per-minute',
  'polls',
  'answer-shape',
  'browser-key',
  'slash-at-end',
  'reads-header',
  'redacts-header',
  'unconsumed',
  'repeats-path',
  'mentioned',
  'old-type',
  'old-key',
  'generated',
]);

/** @param textIn the text of a file */
export function withoutLeftAlone<P extends Pick<Plan, 'findings'>>(plan: P, textIn: (file: string) => string): P {
  const byFile = Map.groupBy(plan.findings, ({ file }) => file);
  const findings = [...byFile].flatMap(([file, own]): readonly Finding[] => {
    const text = textIn(file);
    return exempted(new Map([[file, { file, text, position: positionsOf(text) }]]), own, mayBeRight);
  });
  return { ...plan, findings };
}
