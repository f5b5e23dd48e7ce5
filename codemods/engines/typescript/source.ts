/** What the compiler makes of a text. */
import { SyntaxFault } from '../engine.ts';
import { compiler, type ts } from './compiler.ts';

/**
 * @param path decides the dialect
 * @throws SyntaxFault where it does not parse
 */
export function parse(path: string, text: string): ts.SourceFile {
  const options: ts.CreateSourceFileOptions = {
    languageVersion: compiler.ScriptTarget.Latest,
    jsDocParsingMode: compiler.JSDocParsingMode.ParseNone,
    // Only in a module `await (…)` at the top level waits; elsewhere it calls a function `await`, which nobody has.
    setExternalModuleIndicator: (parsed) => void Object.assign(parsed, { externalModuleIndicator: true }),
  };
  const file = compiler.createSourceFile(path, text, options, false);
  const [fault] = faultsOf(file);
  if (fault) throw new SyntaxFault(textOf(fault), fault.start);
  return file;
}

/** What the parser could not read: the compiler keeps it on the file, but not in its public types. */
function faultsOf(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  return (file as ts.SourceFile & { readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[] }).parseDiagnostics;
}

/** A parser says one thing at a time; only those who look at types have several to say of one place. */
const textOf = ({ messageText }: ts.Diagnostic): string => (typeof messageText === 'string' ? messageText : messageText.messageText);
