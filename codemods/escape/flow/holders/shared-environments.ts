/**
 * `new NodejsFunction(this, 'Send', { environment: common })`: what a deployment gives to functions under a name of its own sets variables, and who reads
 * these is asked by their names.
 */
import type { CodeSetting } from '../../../clients/settings/deployed-variables.ts';
import type { Node } from '../../../syntax/tree.ts';
import { codeSettingsIn } from '../../../formats/code-settings.ts';
import type { Place } from '../../../evaluate/budget.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { memoOf } from '../../../once.ts';
import type { Change } from '../../../verdict/changes/spans.ts';

const settingsIn = memoOf(({ file, text }: SourceModule) => codeSettingsIn(file, text));

/** Whether a name is that of such an object, and all edits that it has stand in what that sets. */
export function isSharedEnvironment({ node, module }: Place, carried: readonly Change[]): boolean {
  const held = optionsOf(node, module);
  const isHeld = ({ start, end }: CodeSetting): boolean => held !== undefined && held.start <= start && end <= held.end;
  const set = settingsIn(module).filter((each) => each.usedAt?.includes(node.start) ?? isHeld(each));
  return carried.every((change) => change.module === module && set.some(({ start, end }) => start <= change.start && change.end <= end));
}

/** `const common = { environment: { … } }`, of a name by which constructs are given it: `new NodejsFunction(this, 'Send', { ...common, entry })`. */
function optionsOf(node: Node, { scopes }: SourceModule): Node | undefined {
  let at = node;
  while (at.parent?.kind === 'spread' || at.parent?.kind === 'object') at = at.parent;
  if (at.parent?.kind !== 'call' || !at.parent.isNew || at.parent.callee === at || node.kind !== 'name') return undefined;
  const owner = scopes.bindingOf(node)?.owner;
  return owner?.kind === 'variable' && owner.declares === 'const' && owner.init?.kind === 'object' ? owner.init : undefined;
}
