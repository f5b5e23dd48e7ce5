/** One place is told one thing: a call of which nobody knows the base is one question, and not another for the path that it is given. */
import type { Finding } from '../../model.ts';

const asksWhose = ({ code }: Finding): boolean => code === 'base-not-proven';

/** Without what asks of a part of a line what another finding asks of all of it. Of two at the very same place the one that asks whose it is stays. */
export function toldOnce(findings: readonly Finding[]): Finding[] {
  const calls = Map.groupBy(findings.filter(asksWhose), ({ file, line }) => `${file} ${line}`);
  const isPartOf = (part: Finding, whole: Finding): boolean => {
    if (part === whole || part.start < whole.start || part.end > whole.end) return false;
    const isSame = part.start === whole.start && part.end === whole.end;
    return isSame ? !asksWhose(part) : true;
  };
  return findings.filter((each) => {
    if (each.group !== undefined || (!asksWhose(each) && each.code !== 'unconsumed')) return true;
    return !(calls.get(`${each.file} ${each.line}`) ?? []).some((call) => isPartOf(each, call));
  });
}
