/** Inputs of actions and workflows of GitHub whose defaults move: workflows anywhere, and whoever starts one, may give an address of v1 in their place. */
import type { Edit, Finding, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import { byPlace } from '../merge.ts';

const mayHaveInputs = /(?:^|\/)action\.ya?ml$|(?:^|\/)\.github\/workflows\//;
/** `default: https://…/`, up to what is edited. */
const byDefault = /\bdefault:\s*["']?https?:[^\s"',]*$/;

export function withGivenInputs<P extends Pick<Plan, 'edits' | 'findings'>>(plan: P, textIn: (file: string) => string): P {
  const found = plan.edits.filter(({ file }) => mayHaveInputs.test(file)).flatMap((edit) => toldAt(edit, textIn(edit.file)));
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found].toSorted(byPlace) };
}

function toldAt({ file, start, end }: Edit, text: string): Finding[] {
  if (!byDefault.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))) return [];
  const position = positionsOf(text);
  return [{ code: 'env-elsewhere', file, start, end, ...position(start), detail: { how: 'input' } }];
}
