/** What a comment leaves alone (`// migrate-v2-ignore: reason`), of what is told of all files: whoever put it there, as a report advises, is not told again. */
import type { Finding, FindingCode, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import { exempted, mayHoldDirective } from '../../verdict/directive-comments.ts';
import { byPlace } from '../merge.ts';

/** What may be right as it is, and holds nothing back. */
export const mayBeRight: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'new-endpoint',
  'base-not-proven',
  'minute-limit',
  'limit-code',
  'retry-per-minute',
  'polls',
  'answer-shape',
  'browser-key',
  'reads-header',
  'redacts-header',
  'unconsumed',
  'repeats-path',
  'mentioned',
  'old-type',
  'old-key',
  'generated',
]);

const isOpen = ({ code, group, detail }: Finding): boolean =>
  mayBeRight.has(code) && group === undefined && !Object.hasOwn(detail, 'holds');

/** @param textIn the text of a file */
export function withoutLeftAlone<P extends Pick<Plan, 'findings'>>(plan: P, textIn: (file: string) => string): P {
  const findings = [...Map.groupBy(plan.findings, ({ file }) => file)].flatMap(([file, own]): readonly Finding[] => {
    const text = own.some(isOpen) ? textIn(file) : '';
    if (!mayHoldDirective(text)) return own;
    const [open, others] = [
      own.filter((each) => isOpen(each) || each.code === 'ignored'),
      own.filter((each) => !isOpen(each) && each.code !== 'ignored'),
    ];
    return [...others, ...exempted(new Map([[file, { file, text, position: positionsOf(text) }]]), open)];
  });
  return { ...plan, findings: findings.toSorted(byPlace) };
}
