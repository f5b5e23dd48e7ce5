/** The text of `--help`: what is called, how, with which flags. */
import { configFileName, environmentPrefix, flagOf, type Setting } from '../config/setting.ts';
import { defaultText } from '../config/table.ts';
import { boolean } from '../config/types.ts';
import type { Command } from './command.ts';
import { exitCodesText } from './exit-codes.ts';

const widest = 120;

const sourcesText = [
  'Every flag can also come from the environment or a file; flag > environment > file > default:',
  `  --key-map FILE   ${environmentPrefix}KEY_MAP=FILE   keyMap in ${configFileName}`,
].join('\n');

/** What is written in one row: a name, what it is, and at the right what it takes. */
interface Row {
  readonly left: string;
  readonly right: string;
  readonly extra?: string;
}

interface Program {
  readonly name: string;
  readonly commands: readonly Command[];
}

/**
 * The help of a command; that of the default command is the program's.
 * @param columns of the terminal, where there is one
 */
export function helpOf(command: Command, { name, commands }: Program, columns: number | undefined): string {
  const width = Math.min(widest, columns || widest);
  const isProgram = command.words.length === 0;
  const listed = isProgram ? commands : command.parts;
  const examples = isProgram ? [...programExamples, ...command.examples] : command.examples;
  const sections: readonly (readonly string[])[] = [
    isProgram
      ? [...wrapped(`${name} ${command.usage} [flags]`, width), ...wrapped(`${name} <command> [flags]`, width)]
      : [...wrapped(`${name} ${command.usage}`, width), '', ...wrapped(command.describe, width)],
    table(
      'Commands:',
      listed.map((each) => rowOfCommand(each, name)),
      width,
    ),
    table('Positionals:', command.positional === undefined ? [] : [rowOfPositional(command.positional)], width),
    table('Options:', [...everywhere, ...command.rows.map(rowOfFlag)], width),
    table(
      'Examples:',
      examples.map(([call, what]) => ({ left: call.replace('$0', name), right: what })),
      width,
    ),
    isProgram ? paragraphs(`${sourcesText}\n\n${exitCodesText}`, width) : listed.length > 0 ? [] : paragraphs(sourcesText, width),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

const programExamples: readonly (readonly [string, string])[] = [
  ['$0 proxy --sandbox', 'Try the proxy with a sandbox behind it'],
  ['$0 <command> --help', 'List the flags of a command'],
];

const unnamed = ' '.repeat('-h, '.length);
const everywhere: readonly Row[] = [
  { left: `${unnamed}--version`, right: 'Show version number', extra: '[boolean]' },
  { left: '-h, --help', right: 'Show help', extra: '[boolean]' },
];

const rowOfCommand = ({ words, usage, describe }: Command, name: string): Row => ({
  left: `${name} ${usage}`,
  right: describe,
  ...(words.length === 0 && { extra: '[default]' }),
});
const rowOfPositional = (row: Setting): Row => ({ left: flagOf(row), right: row.description, extra: '[string]' });
const rowOfFlag = (row: Setting): Row => ({
  left: `${unnamed}--${flagOf(row)}`,
  right: row.description,
  extra: `[${row.type === boolean ? 'boolean' : 'string'}] [default: ${defaultText(row)}]`,
});

/** Rows in columns, the left ones as wide as the widest of them, but at most half of all. */
function table(title: string, rows: readonly Row[], width: number): string[] {
  if (rows.length === 0) return [];
  const column = Math.min(Math.max(...rows.map(({ left }) => left.length)), Math.floor(width / 2));
  return [title, ...rows.flatMap((row) => rowLines(row, column, width))];
}

const margin = 2;

function rowLines({ left, right, extra = '' }: Row, column: number, width: number): string[] {
  const indent = margin + left.search(/\S/);
  const rest = margin + column + margin;
  const lefts = wrapped(left.trim(), margin + column - indent).map((line) => ' '.repeat(indent) + line);
  const rights = wrapped(right, Math.max(width - rest, 1));
  const lines = Array.from({ length: Math.max(lefts.length, rights.length) }, (_, index) =>
    `${(lefts[index] ?? '').padEnd(rest)}${rights[index] ?? ''}`.trimEnd(),
  );
  if (extra === '') return lines;
  const [first = '', ...more] = wrapped(extra, width - margin).map((line) => line.padStart(width));
  const last = lines.at(-1) ?? '';
  // At the end of the last line, where there is room for it.
  const fits = first.search(/\S/) >= last.length;
  return [...(fits ? [...lines.slice(0, -1), last + first.slice(last.length)] : [...lines, first]), ...more];
}

/** Lines that keep their indentation. */
const paragraphs = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) => {
    const indent = ' '.repeat(Math.max(line.search(/\S/), 0));
    return wrapped(line.trim(), width - indent.length).map((part) => indent + part);
  });

/** Words in lines; what is wider than a line is broken. All of it is our own text, whose characters are one column wide. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > width) {
      lines.push(line.trimEnd());
      line = word;
    } else line = longer;
    for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width));
  }
  return [...lines, line.trimEnd()];
}
