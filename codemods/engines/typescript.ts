import type { ProgramNode } from '../syntax/tree.ts';
import { type Engine, orFault } from './engine.ts';
import { hideShebang } from './shebang.ts';
import { commentsOf } from './typescript/comments.ts';
import type { ts } from './typescript/compiler.ts';
import { expression } from './typescript/expressions.ts';
import type { Reader } from './typescript/reader.ts';
import { parse } from './typescript/source.ts';
import { outermost, statements } from './typescript/statements.ts';

/**
 * Reads JavaScript, TypeScript, JSX and JSON with the TypeScript compiler: its parser only, no types and no other file. What stands inside of
 * most statements is read when it is asked for.
 */
export const typescript: Engine = {
  name: 'typescript',
  parse(path, text) {
    return orFault(() => {
      const file = parse(path, hideShebang(text));
      return { program: programOf(file, text), comments: text.includes('migrate-v2') ? commentsOf(file) : [] };
    });
  },
  check(path, text) {
    orFault(() => parse(path, hideShebang(text)));
  },
};

function programOf(file: ts.SourceFile, text: string): ProgramNode {
  const reader = readerOf(file, text);
  const body = isJson(file)
    ? file.statements.map((statement) => reader.expression(statement.expression))
    : outermost(file.statements, reader, (node, index) =>
        againOf({ path: file.fileName, text, index, start: reader.start(node), end: reader.end(node) }),
      );
  last = { file, reader };
  return { kind: 'program', body, start: 0, end: text.length };
}

/**
 * What the compiler made of the file that was read last: about half of what is asked for of a file is asked for before the next is read. What was made
 * of all files is not kept, as it takes far more room than their texts.
 */
let last: { readonly file: ts.SourceFile; readonly reader: Reader } | undefined;

interface Part {
  readonly path: string;
  /** Of the whole file. */
  readonly text: string;
  /** Which of its statements it is. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** Takes a statement from what is kept, or parses it once more, by itself. */
const againOf =
  ({ path, text, index, start, end }: Part) =>
  (): readonly [ts.Statement, Reader] => {
    if (last?.file.fileName === path && last.reader.text === text) return [last.file.statements[index] as ts.Statement, last.reader];
    const file = parse(path, text.slice(start, end));
    // What was one statement in its file is one by itself.
    return [file.statements[0] as ts.Statement, readerOf(file, text, start)];
  };

/** @param offset where in the text begins what was parsed */
function readerOf(file: ts.SourceFile, text: string, offset = 0): Reader {
  // What begins with the same expression (`a`, `a.b`, `a.b()`) asks for the same place again and again.
  let lastAsked = -1;
  let lastStart = 0;
  const reader: Reader = {
    text,
    start(node) {
      if (node.pos !== lastAsked) {
        lastAsked = node.pos;
        lastStart = node.getStart(file) + offset;
      }
      return lastStart;
    },
    end: (node) => node.end + offset,
    expression: (node) => expression(node, reader),
    statements: (nodes) => statements(nodes, reader),
  };
  return reader;
}

function isJson(file: ts.SourceFile): file is ts.JsonSourceFile {
  return file.fileName.endsWith('.json');
}
