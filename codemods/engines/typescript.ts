import type { ProgramNode } from '../syntax/tree.ts';
import { SyntaxFault, type Engine, orFault } from './engine.ts';
import { hideShebang } from './shebang.ts';
import { commentsOf } from './typescript/comments.ts';
import { compiler, type ts } from './typescript/compiler.ts';
import { expression } from './typescript/expressions.ts';
import type { Reader } from './typescript/reader.ts';
import { statements } from './typescript/statements.ts';

/** Reads JavaScript, TypeScript, JSX and JSON with the TypeScript compiler: its parser only, no types and no other file. */
export const typescript: Engine = {
  name: 'typescript',
  parse(path, text) {
    return orFault(() => {
      const file = parse(path, text);
      return { program: programOf(file, text), comments: text.includes('migrate-v2') ? commentsOf(file) : [] };
    });
  },
  check(path, text) {
    orFault(() => parse(path, text));
  },
};

function parse(path: string, text: string): ts.SourceFile {
  const options: ts.CreateSourceFileOptions = {
    languageVersion: compiler.ScriptTarget.Latest,
    jsDocParsingMode: compiler.JSDocParsingMode.ParseNone,
    // Only in a module `await (…)` at the top level waits; elsewhere it calls a function `await`, which nobody has.
    setExternalModuleIndicator: (parsed) => void Object.assign(parsed, { externalModuleIndicator: true }),
  };
  const file = compiler.createSourceFile(path, hideShebang(text), options, false);
  const [fault] = faultsOf(file);
  if (fault) throw new SyntaxFault(compiler.flattenDiagnosticMessageText(fault.messageText, ' '), fault.start);
  return file;
}

/** What the parser could not read: the compiler keeps it on the file, but not in its public types. */
function faultsOf(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  return (file as ts.SourceFile & { readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[] }).parseDiagnostics;
}

function programOf(file: ts.SourceFile, text: string): ProgramNode {
  // What begins with the same expression (`a`, `a.b`, `a.b()`) asks for the same place again and again.
  let lastAsked = -1;
  let lastStart = 0;
  const reader: Reader = {
    text,
    start(node) {
      if (node.pos !== lastAsked) {
        lastAsked = node.pos;
        lastStart = node.getStart(file);
      }
      return lastStart;
    },
    expression: (node) => expression(node, reader),
    statements: (nodes) => statements(nodes, reader),
  };
  const body = isJson(file)
    ? file.statements.map((statement) => reader.expression(statement.expression))
    : reader.statements(file.statements);
  return { kind: 'program', body, start: 0, end: text.length };
}

function isJson(file: ts.SourceFile): file is ts.JsonSourceFile {
  return file.fileName.endsWith('.json');
}
