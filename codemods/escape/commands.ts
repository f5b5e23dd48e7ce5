/** Commands that a program hands to a shell: `execSync('curl https://…')` is a call, though nothing of it is moved. */
import { lastName } from '../clients/names.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { Node } from '../syntax/tree.ts';

/** Whether a text is a command that asks for something, or one of its words, and the program runs it. */
export const isRun = (node: Node, text: string, { scopes }: SourceModule): boolean => {
  const target = node.parent?.kind === 'variable' ? node.parent.target : undefined;
  const names = (target?.kind === 'patternName' && scopes.declaredBy(target)?.references) || [];
  return [node, ...names].some((place) => isGivenToShell(place, asking.test(text)));
};

const asking = /(?:^|[\s;&|(])(?:curl|wget)\s/;
const program = /^(?:curl|wget)$/;
/** `exec`, `execFileSync`, `spawn`, `execa`, `execaCommand`, `shell.exec`, `$` of zx and Bun. */
const running = /^(?:exec\w*|spawn\w*|\$\w*)$/;

function isGivenToShell({ parent, ...node }: Node, isCommand: boolean): boolean {
  if (parent?.kind === 'array') return isGivenToShell(parent, isCommand);
  if (parent?.kind === 'tagged') return isCommand && running.test(lastName(parent.tag));
  if (parent?.kind !== 'call' || parent.callee.start === node.start || !running.test(lastName(parent.callee))) return false;
  const [first] = parent.args;
  return isCommand || (first?.kind === 'string' && program.test(first.value));
}
