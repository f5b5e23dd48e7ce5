/** A document that shows commands, their output and code: what it says, for the tests that hold it to that. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../helpers/build.ts';

/** The documents that people read: their paths in the project. */
export const documents: readonly string[] = ['README.md', 'MIGRATION.md', ...globSync('docs/**/*.md', { cwd: projectRoot }).toSorted()];

export interface Documented {
  readonly command: string;
  /** `…` stands for anything. */
  readonly output: string;
}

export interface Document {
  readonly text: string;
  /** The contents of the code blocks of one language, in order. */
  fenced(language: string): string[];
  /**
   * The one command that contains a text, or is exactly it, with its output.
   * @param values what stands in the document, and what takes its place in a test
   * @throws where no command or several contain the text
   */
  documented(part: string, values?: Readonly<Record<string, string>>): Documented;
  /** The commands that no test has asked for. */
  unasked(): string[];
}

/** @param name the document's path in the project */
export function openDocument(name: string): Document {
  const text = readFileSync(join(projectRoot, name), 'utf8');
  const fenced = (language: string): string[] =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, content = '']) => content);
  const blocks: readonly Documented[] = fenced('console').map((content) => {
    const [, command = '', output = ''] = /^\$ (.*)\n([^]*)$/.exec(content) ?? [];
    return { command, output };
  });
  const asked = new Set<Documented>();
  return {
    text,
    fenced,
    documented(part, values = {}) {
      const exact = blocks.filter(({ command }) => command === part);
      const [found, second] = exact.length > 0 ? exact : blocks.filter(({ command }) => command.includes(part));
      if (found === undefined || second !== undefined)
        throw new Error(`${name} has ${found === undefined ? 'no' : 'more than one'} command with ${part}`);
      asked.add(found);
      const replace = (from: string): string => Object.entries(values).reduce((so, [what, by]) => so.replaceAll(what, by), from);
      return { command: replace(found.command), output: replace(found.output) };
    },
    unasked: () => blocks.filter((block) => !asked.has(block)).map(({ command }) => command),
  };
}

/** What a document says, as a pattern. `…` alone in the first line may be no line at all: npm 9 says nothing of the scripts that it runs. */
export function pattern(expected: string): RegExp {
  const [, begin, rest = ''] = /^(…\n)?([^]*)$/.exec(expected.trim()) ?? [];
  const escaped = rest.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\n/g, '\\r?\\n'));
  return new RegExp(`^${begin === undefined ? '' : '(?:[^]*?\\r?\\n)?'}${escaped.join('[^]*?')}$`);
}
