/** The digest for a terminal, a mail, an issue or a wiki: GitHub-flavoured Markdown, in which other people's text is no markup. */
import { markdownText } from '../../text/escape.ts';
import { cut, fitted } from './fit.ts';
import type { Digest } from './model.ts';
import { type DigestSection, digestText, type Line } from './text.ts';

/** What a comment on GitHub holds. */
const longest = 65_536;
const mostLines = 50;
const longestName = 120;
const longestText = 800;

/** Renders the digest as Markdown. */
export function digestMarkdown(digest: Digest): string {
  const { title, verdict, facts, sections } = digestText(digest);
  const head = [`## ${title}`, '', `**${verdict.title}**: ${markdownText(verdict.text)}`, '', ...facts.map((fact) => `- ${written(fact)}`)];
  const blocks = (most: number): readonly (readonly string[])[] => [head, ...sections.map((section) => linesOf(section, most))];
  return fitted(
    mostLines,
    (most) =>
      `${blocks(most)
        .map((lines) => lines.join('\n'))
        .join('\n\n')}\n`,
    (text) => text.length <= longest,
  );
}

const written = ({ name, text }: Line): string => `**${markdownText(cut(name, longestName))}**: ${markdownText(cut(text, longestText))}`;

function linesOf({ title, lines, isOrdered }: DigestSection, most: number): readonly string[] {
  const more = lines.length - most;
  const shown = lines.slice(0, most).map((line, index) => `${isOrdered ? `${index + 1}.` : '-'} ${written(line)}`);
  return [`### ${title}`, '', ...shown, ...(more > 0 ? [`- … and ${more} more: \`--format json\` has them all.`] : [])];
}
