/** Questions to a person. They are asked on stderr, as stdout holds the report. */
import { ConfigError } from '../config/errors.ts';

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** Each gives undefined where the person leaves without an answer. */
export interface Terminal {
  some(question: string, choices: readonly Choice<string>[]): Promise<readonly string[] | undefined>;
  one<T extends string>(question: string, choices: readonly Choice<T>[]): Promise<T | undefined>;
  /** @param isLikely whether yes is the answer that is ready to be given */
  confirm(question: string, isLikely?: boolean): Promise<boolean | undefined>;
  /** Shows lines between two questions. */
  show(text: string): void;
}

/** Whether somebody is there to be asked. */
export const hasTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** @throws ConfigError where nobody can be asked */
export function requireTerminal(flag: string): void {
  if (hasTerminal()) return;
  throw new ConfigError({
    code: 'CONFIG_CONFLICT',
    key: flag,
    problem: 'asks questions, and this is no terminal; leave it out, or see what would change with --dry-run',
  });
}

const usualWidth = 80;

/** Opens the terminal for questions. */
export async function openTerminal(): Promise<Terminal> {
  // Loaded on demand: who is not asked needs none of it.
  const { confirm, isCancel, multiselect, select } = await import('@clack/prompts');
  // Some terminals say that they have no columns; lines would break after each character.
  if (process.stderr.columns === 0) process.stderr.columns = usualWidth;
  const common = { output: process.stderr };
  return {
    async some(message, choices) {
      const chosen = await multiselect<string>({ ...common, message, options: [...choices], required: false });
      return isCancel(chosen) ? undefined : chosen;
    },
    async one<T extends string>(message: string, choices: readonly Choice<T>[]) {
      const chosen = await select<string>({ ...common, message, options: [...choices] });
      return choices.find(({ value }) => value === chosen)?.value;
    },
    async confirm(message, isLikely = true) {
      const answer = await confirm({ ...common, message, initialValue: isLikely });
      return isCancel(answer) ? undefined : answer;
    },
    show: (text) => void process.stderr.write(text),
  };
}
