/** Gives what a script names itself other names. What it says and does stays the same, so nothing that is proven may hang on them. */
import { ts } from 'ts-morph';

/** What handlers and tests are known by, whatever library calls them, and what RequireJS looks for in the text of a factory: `define(function (require) { … })`. */
const known = /^(?:c|context|ctx|env|expect|exports|it|module|reply|req|request|require|res|response|test)$/;

/**
 * @param file by whose extension the text is read
 * @param nameOf what a name is to be in its place
 * @returns the text as it was where it cannot be read
 */
export function renamed(file: string, text: string, nameOf: (name: string) => string): string {
  const name = /tsx?$/.test(file) ? `script.${file.endsWith('x') ? 'tsx' : 'ts'}` : 'script.jsx';
  const project = ts.createProgram([name], { allowJs: true, noLib: true, noResolve: true, jsx: ts.JsxEmit.Preserve }, hostOf(name, text));
  const source = project.getSourceFile(name);
  if (source === undefined || project.getSyntacticDiagnostics(source).length > 0) return text;
  const checker = project.getTypeChecker();
  const isModule = ts.isExternalModule(source) || /\b(?:require|exports)\b/.test(text);
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const symbol = ts.isIdentifier(node) ? symbolOf(checker, node) : undefined;
    const declarations = symbol?.declarations ?? [];
    if (ts.isIdentifier(node) && declarations.length > 0 && declarations.every((each) => isOwn(each, isModule)))
      edits.push({ start: node.getStart(), end: node.getEnd(), text: inPlace(node, nameOf(node.text)) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  const lastFirst = edits.toSorted((a, b) => b.start - a.start);
  return lastFirst.reduce((all, { start, end, text: inserted }) => all.slice(0, start) + inserted + all.slice(end), text);
}

/** Nothing but one file. */
function hostOf(name: string, text: string): ts.CompilerHost {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  return {
    getSourceFile: (file) => (file === name ? source : undefined),
    getDefaultLibFileName: () => '',
    writeFile: () => undefined,
    getCurrentDirectory: () => '',
    getCanonicalFileName: (file) => file,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (file) => file === name,
    readFile: () => undefined,
  };
}

/** What an identifier stands for; undefined where it names a property, or something of another file. */
function symbolOf(checker: ts.TypeChecker, node: ts.Identifier): ts.Symbol | undefined {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return checker.getShorthandAssignmentValueSymbol(parent);
  if (ts.isExportSpecifier(parent)) {
    const isOfAnother = parent.parent.parent.moduleSpecifier !== undefined;
    return isOfAnother || (parent.propertyName ?? parent.name) !== node ? undefined : checker.getExportSpecifierLocalTargetSymbol(parent);
  }
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return undefined;
  if ((ts.isBindingElement(parent) || ts.isImportSpecifier(parent)) && parent.propertyName === node) return undefined;
  return ts.isPropertyAssignment(parent) && parent.name === node ? undefined : checker.getSymbolAtLocation(node);
}

/** `{ key }` goes on to say `key`, and `import { send }` and `export { send }` say `send`. */
function inPlace({ parent, text }: ts.Identifier, fresh: string): string {
  if (ts.isShorthandPropertyAssignment(parent)) return `${text}: ${fresh}`;
  if (ts.isExportSpecifier(parent)) return parent.propertyName === undefined ? `${fresh} as ${text}` : fresh;
  if (ts.isImportSpecifier(parent)) return parent.propertyName === undefined ? `${text} as ${fresh}` : fresh;
  const isShort = ts.isBindingElement(parent) && parent.propertyName === undefined && parent.dotDotDotToken === undefined;
  return isShort && ts.isObjectBindingPattern(parent.parent) ? `${text}: ${fresh}` : fresh;
}

/** Whether a name is the file's alone: no export, no type, none of a package, and in a plain script nothing at the top, which others share. */
function isOwn(node: ts.Declaration, isModule: boolean): boolean {
  const name = ts.getNameOfDeclaration(node);
  if (name === undefined || known.test(name.getText())) return false;
  if (ts.isImportSpecifier(node)) {
    const { moduleSpecifier } = node.parent.parent.parent;
    const isOfProject = ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text.startsWith('.');
    return isOfProject && !/^[A-Z]/.test(node.name.text) && !node.isTypeOnly;
  }
  if (ts.isImportClause(node) || ts.isNamespaceImport(node)) return true;
  if (ts.isParameter(node)) return name.getText() !== 'this' && ts.getModifiers(node) === undefined && isCode(node.parent);
  if (ts.isBindingElement(node) || ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node))
    return !isAmbient(node) && (isModule ? !isExported(node) : !isAtTop(node));
  return false;
}

const isCode = (node: ts.Node): boolean => 'body' in node && node.body !== undefined;

const hasModifier = (node: ts.Node, kind: ts.SyntaxKind): boolean =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) === true;

function isExported(node: ts.Node): boolean {
  for (let at = node; !ts.isSourceFile(at) && !ts.isBlock(at); at = at.parent)
    if (hasModifier(at, ts.SyntaxKind.ExportKeyword)) return true;
  return false;
}

function isAmbient(node: ts.Node): boolean {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) if (hasModifier(at, ts.SyntaxKind.DeclareKeyword)) return true;
  return false;
}

function isAtTop(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) if (ts.isFunctionLike(at) || ts.isBlock(at)) return false;
  return true;
}
