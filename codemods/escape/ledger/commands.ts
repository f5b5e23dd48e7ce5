/** Commands that a program hands to a shell: `execSync('curl https://…')` is a call, also where it is not moved. */
import { combined } from '../../evaluate/libraries/combined.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { optionsOf } from '../../evaluate/values/values.ts';
import type { Expression, Node } from '../../syntax/tree.ts';

/** Whether a text is a command that asks for something, or one of its words, and the program runs it. */
export const isRun = (ev: Evaluation, node: Node, text: string, module: SourceModule): boolean => {
  const target = node.parent?.kind === 'variable' ? node.parent.target : undefined;
  const names = (target?.kind === 'patternName' && module.scopes.declaredBy(target)?.references) || [];
  return [node, ...names].some((place) => {
    const runner = runnerOf(place, asking.test(text));
    return runner !== undefined && isOfShell(ev, runner, module);
  });
};

const asking = /(?:^|[\s;&|(])(?:curl|wget)\s/;
const program = /^(?:curl|wget)$/;
const shell = /^(?:.*\/)?(?:ba|z|da)?sh$/;

/** What is called with a text as its command, as the template of one, or among the words that follow the program. */
function runnerOf({ parent, ...node }: Node, isCommand: boolean): Expression | undefined {
  if (parent?.kind === 'tagged') return isCommand ? parent.tag : undefined;
  const call = parent?.kind === 'array' ? parent.parent : parent;
  if (call?.kind !== 'call') return undefined;
  const [first] = call.args;
  if (parent?.kind !== 'array') return isCommand && first?.start === node.start ? call.callee : undefined;
  if (first?.kind !== 'string') return undefined;
  return program.test(first.value) || (isCommand && shell.test(first.value)) ? call.callee : undefined;
}

/** By what it is and not by its name: databases, patterns and jQuery have an `exec` or a `$`, too. */
const isOfShell = (ev: Evaluation, runner: Expression, module: SourceModule): boolean =>
  optionsOf(ev.evaluate(runner, { module, frame: undefined })).some(
    (value) => value.type === 'external' && combined(ev.rules).runners.has(value.source) && running.test(value.path.at(-1) ?? 'default'),
  );

/** `exec`, `execFileSync`, `spawn`, `execaCommand`, `$` of zx, and what a package is as a whole. */
const running = /^(?:exec\w*|spawn\w*|\$\w*|default)$/;
