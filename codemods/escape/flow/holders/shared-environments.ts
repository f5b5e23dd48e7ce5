/**
 * `new NodejsFunction(this, 'Send', { environment: common })`: what a deployment gives to functions under a name of its own sets variables, and who reads
 * these is asked by their names.
 */
import { codeSettingsIn } from '../../../formats/code-settings.ts';
import type { Place } from '../../../evaluate/budget.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { memoOf } from '../../../once.ts';
import type { Change } from '../../../verdict/changes/spans.ts';

const settingsIn = memoOf(({ file, text }: SourceModule) => codeSettingsIn(file, text));

/** Whether a name is that of such an object, and all edits that it has stand in what that sets. */
export function isSharedEnvironment({ node, module }: Place, carried: readonly Change[]): boolean {
  const set = settingsIn(module).filter(({ usedAt }) => usedAt?.includes(node.start) === true);
  return carried.every((change) => change.module === module && set.some(({ start, end }) => start <= change.start && change.end <= end));
}
