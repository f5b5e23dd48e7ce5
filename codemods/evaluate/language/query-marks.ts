/**
 * What is put behind a text by what the text has: `options.path += (options.path.includes('?') ? '&' : '?') + 'page=' + page`. To look which mark it is
 * is to read the text that is being made, with all that others put behind it, who look as well: each of so many would follow all others again.
 */
import { walk } from '../../syntax/link.ts';
import type { AssignNode, ConditionalNode, Expression, MemberNode, Node } from '../../syntax/tree.ts';
import type { SourceModule } from '../module.ts';
import { isOfItself, isSamePath } from '../names/same-path.ts';

/** Whether a condition asks about the property that its outcome is put behind: it is one or the other, whatever is there. */
export function asksWhatItGrows(node: ConditionalNode, module: SourceModule): boolean {
  const known = asked.get(node) ?? targetsOf(node, module).some((target) => reads(node.test, target, module));
  asked.set(node, known);
  return known;
}

const asked = new WeakMap<ConditionalNode, boolean>();

function reads(test: Expression, target: MemberNode, { scopes }: SourceModule): boolean {
  let isRead = false;
  walk(test, (inner) => {
    isRead ||= isSamePath(inner, target, scopes);
  });
  return isRead;
}

/** The properties that something is put behind: at once, or by the name of a constant, `const mark = …; options.path += mark + 'page=' + page`. */
function targetsOf(node: Expression, module: SourceModule): readonly MemberNode[] {
  const outer = outermost(node);
  if (outer?.kind === 'assign') return grown(outer, module);
  if (outer?.kind !== 'variable' || outer.target.kind !== 'patternName') return [];
  const { references = [] } = module.scopes.declaredBy(outer.target) ?? {};
  return references.flatMap((each) => {
    const write = outermost(each);
    return write?.kind === 'assign' ? grown(write, module) : [];
  });
}

const grown = (write: AssignNode, module: SourceModule): readonly MemberNode[] =>
  write.target.kind === 'member' && (write.operator === '+=' || isOfItself(write, module)) ? [write.target] : [];

/** What the text is given to that something is a piece of. */
function outermost({ parent }: Node): Node | undefined {
  let at = parent;
  while (at?.kind === 'concat' || at?.kind === 'template' || at?.kind === 'conditional') at = at.parent;
  return at;
}
