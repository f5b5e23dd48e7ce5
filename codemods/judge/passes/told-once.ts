/**
 * One place is told one thing: a call of which nobody knows the base is one question, and not another for the path that it is given; a variable that a command
 * hands on is read there once, however that was found.
 */
import type { Finding } from '../../model.ts';

const asksWhose = ({ code }: Finding): boolean => code === 'base-not-proven';
const readsVariable = ({ code }: Finding): boolean => code === 'reads-variable';

/** Without what says of a part of a line what another finding says of all of it. Of two at the very same place the one that asks whose it is stays. */
export function toldOnce(findings: readonly Finding[]): Finding[] {
  const wholes = Map.groupBy(
    findings.filter((each) => asksWhose(each) || readsVariable(each)),
    ({ file, line }) => `${file} ${line}`,
  );
  return findings.filter((each) => {
    if (each.group !== undefined) return true;
    return !(wholes.get(`${each.file} ${each.line}`) ?? []).some((whole) => isPartOf(each, whole));
  });
}

function isPartOf(part: Finding, whole: Finding): boolean {
  if (part === whole || part.start < whole.start || part.end > whole.end) return false;
  const isSame = part.start === whole.start && part.end === whole.end;
  if (readsVariable(whole)) return readsVariable(part) && !isSame && part.detail['name'] === whole.detail['name'];
  return isSame ? part.code === 'unconsumed' : asksWhose(part) || part.code === 'unconsumed';
}
