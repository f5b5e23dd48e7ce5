/** Reads api.md as a list of rules: every paragraph, list item and row of a table is a block with a reference of its own. */

export interface Block {
  /** The section, and the place within it, from 1: `8.3`. What stands before the first section is of section 0. */
  readonly at: string;
  readonly text: string;
}

const isRule = (line: string | undefined): boolean => /^\|[-| ]+\|$/.test(line?.trim() ?? '');

/** The blocks of a document, whose paragraphs are one line each. The heads of tables are no blocks, nor are headings. */
export function blocksOf(document: string): Block[] {
  const lines = document.split('\n');
  const blocks: Block[] = [];
  let section = '0';
  let place = 0;
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    const heading = /^## (\d+)\./.exec(text)?.[1];
    if (heading !== undefined) [section, place] = [heading, 0];
    const isHead = text.startsWith('|') && isRule(lines[index + 1]);
    if (text !== '' && !text.startsWith('#') && !isRule(text) && !isHead) blocks.push({ at: `${section}.${++place}`, text });
  }
  return blocks;
}

/** How many blocks each section has. */
export function countBySection(blocks: readonly Block[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { at } of blocks) {
    const [section = ''] = at.split('.');
    counts[section] = (counts[section] ?? 0) + 1;
  }
  return counts;
}
