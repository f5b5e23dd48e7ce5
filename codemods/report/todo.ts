/** Comments at the places that a person has to look at (`--todo`). */
import type { Edit, Finding } from '../model.ts';
import type { Node, SyntaxTree } from '../syntax/tree.ts';
import { walk } from '../syntax/link.ts';
import { isOfWholeFile, wordsOf } from './wording.ts';

export interface Source {
  readonly text: string;
  /** undefined where the file is not a script: its comments begin with `#`, or it has none. */
  readonly tree: SyntaxTree | undefined;
  readonly comment: '//' | '#' | undefined;
}

const mark = 'TODO(migrate-v2)';

/**
 * One line above each place, once: what is there already from a run before is not put there again.
 * @param sourceOf the text in which the findings' offsets count
 */
export function todoEdits(findings: readonly Finding[], sourceOf: (file: string) => Source | undefined): Edit[] {
  const edits = new Map<string, Edit>();
  for (const finding of findings) {
    const { kind, title } = wordsOf(finding);
    // What is generated or comes from elsewhere is not ours to write into.
    const isForPerson = (kind === 'left' || kind === 'look') && !isOfWholeFile(finding.code);
    const source = isForPerson ? sourceOf(finding.file) : undefined;
    if (source?.comment === undefined) continue;
    const at = lineOf(source, finding);
    if (at === undefined || isMarked(source.text, at, finding.code)) continue;
    const indent = /^[\t ]*/.exec(source.text.slice(at))?.[0] ?? '';
    const text = `${indent}${source.comment} ${mark}: ${title} (${finding.code})${endOfLine(source.text)}`;
    edits.set(`${finding.file} ${at} ${finding.code}`, {
      file: finding.file,
      start: at,
      end: at,
      text,
      group: `todo:${finding.file}:${at}:${finding.code}`,
      what: 'todo',
    });
  }
  return [...edits.values()];
}

const endOfLine = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
const startOfLine = (text: string, at: number): number => Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;

/** What may stand on a line before its statement: the words that declare, which the tree has no node for. */
const beforeStatement = /^\uFEFF?[\t ]*(?:export[\t ]+)?(?:(?:const|let|var|(?:await[\t ]+)?using)[\t ]+)?$/;

/** Where the line begins that a comment can stand above: that of the statement around the place, if nothing stands before it. */
function lineOf({ text, tree }: Source, { file, start }: Finding): number | undefined {
  if (tree === undefined) return startOfText(file, text, startOfCommand(text, start));
  let best: number | undefined;
  walk(tree.program, (node) => {
    if (node.end <= start || node.start > start) return node.kind === 'program';
    const line = startOfLine(text, node.start);
    if (isStatement(node) && beforeStatement.test(text.slice(line, node.start))) best = line;
    return true;
  });
  return best;
}

/** A shell takes lines that end in a backslash for one, in which a comment would end the command. */
function startOfCommand(text: string, at: number): number {
  const line = startOfLine(text, at);
  return /\\(?:\r\n|\n|\r)$/.test(text.slice(0, line)) ? startOfCommand(text, line - 1) : line;
}

/** Within a text of several lines, a comment would be a part of it; shells know it there. */
function startOfText(file: string, text: string, at: number): number {
  if (/\.ya?ml$/i.test(file)) return startOfBlock(text, at) ?? at;
  const quotes = /\.toml$/i.test(file) ? [...text.slice(0, at).matchAll(/'''|"""/g)] : [];
  const open = quotes.length % 2 === 1 ? quotes.at(-1)?.index : undefined;
  return open === undefined ? at : startOfLine(text, open);
}

/** `log.json: |` in YAML, above what stands further in than that. */
function startOfBlock(text: string, at: number): number | undefined {
  const indentAt = (from: number): number => /^[\t ]*/.exec(text.slice(from))?.[0].length ?? 0;
  let indent = indentAt(at);
  for (let end = at; end > 0;) {
    const from = startOfLine(text, end - 1);
    const line = text.slice(from, end).trimEnd();
    if (line !== '' && indentAt(from) < indent) {
      if (/:\s*[|>][+-]?\d?$/.test(line)) return /\b(?:run|script|command|args)["']?:|\.sh["']?:/.test(line) ? undefined : from;
      indent = indentAt(from);
    }
    end = from;
  }
  return undefined;
}

const isStatement = ({ kind, parent }: Node): boolean =>
  parent?.kind === 'program' || parent?.kind === 'block' || kind === 'classMember' || (parent?.kind === 'object' && kind === 'property');

/** Whether the comments right above say it already. */
function isMarked(text: string, at: number, code: string): boolean {
  const above = text
    .slice(0, at)
    .split(/\r\n|\n|\r/)
    .slice(0, -1)
    .toReversed();
  for (const line of above) {
    if (!line.includes(mark)) return false;
    if (line.includes(`(${code})`)) return true;
  }
  return false;
}
