/** What README.md tells people to run, and what it says they will see. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../helpers/build.ts';

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');

/** The contents of the code blocks of one language, in order. */
export const fenced = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

export interface Documented {
  readonly command: string;
  /** `…` stands for anything. */
  readonly output: string;
}

const blocks: readonly Documented[] = fenced('console').map((text) => {
  const [, command = '', output = ''] = /^\$ (.*)\n([^]*)$/.exec(text) ?? [];
  return { command, output };
});
const asked = new Set<Documented>();

/**
 * The one command that contains a text, with its output.
 * @param values what stands in the document, and what takes its place in a test
 * @throws where no command or several contain the text
 */
export function documented(part: string, values: Readonly<Record<string, string>> = {}): Documented {
  const [found, second] = blocks.filter(({ command }) => command.includes(part));
  if (found === undefined || second !== undefined)
    throw new Error(`README.md has ${found === undefined ? 'no' : 'more than one'} command with ${part}`);
  asked.add(found);
  const replace = (text: string): string => Object.entries(values).reduce((so, [from, to]) => so.replaceAll(from, to), text);
  return { command: replace(found.command), output: replace(found.output) };
}

/** The commands that no test has asked for. */
export const unasked = (): string[] => blocks.filter((block) => !asked.has(block)).map(({ command }) => command);

/** What the document says, as a pattern. */
export function pattern(expected: string): RegExp {
  const escaped = expected
    .trim()
    .split('…')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\n/g, '\\r?\\n'));
  return new RegExp(`^${escaped.join('[^]*?')}$`);
}
