/**
 * Of the TypeScript that ts-morph brings, what the codemods call: its parser. As it comes it is a script of 9 MB, among 4 MB of others, which each start and each
 * thread would load. The file's path is no door that ts-morph promises, so the sources come in by its name: here the version is the one of package-lock.json, and where its
 * next one breaks this, the build or its tests fail (docs/architecture/evaluation.md).
 */
import { createRequire } from 'node:module';
import type { Plugin } from 'rolldown';

/** Where ts-morph finds it. */
const file = createRequire(createRequire(import.meta.url).resolve('ts-morph')).resolve('@ts-morph/common/dist/typescript.js');

/** The script as a module, of which the bundle takes what is used: all that is declared up to the parser's end, the nodes that it makes, and what these call. */
function parserOf(script: string): string {
  const between = (begin: string, end: string): string => script.slice(script.indexOf(`\n${begin}`), script.indexOf(`\n${end}`));
  /** To the line that it ends with, as it is not indented. */
  const declared = (name: string): string => new RegExp(`^(?:var|function) ${name}\\b[^]*?^[})]\\S*$`, 'm').exec(script)?.[0] ?? '';
  const parser = [
    between('// src/compiler/corePublic.ts', '// src/compiler/commandLineParser.ts'),
    // What the parser and its nodes call from elsewhere.
    ...['convertToJson', 'scanner', 'createNode'].map(declared),
  ]
    .join('\n')
    .replaceAll(/^(?=(?:var|function) )/gm, 'export ')
    // An object of functions that are there anyway.
    .replace(/^__export\([^]*?^\}\);$/m, '')
    // Files and processes: a parser is given its text.
    .replace(/^export var sys = [^]*?^\}\)\(\);$/m, 'var sys;')
    // A table of two thousand messages: as single ones, all but some hundred are left out.
    .replace(/^export var Diagnostics = \{([^]*?)^\};$/m, (_, messages: string) =>
      messages.replaceAll(/^ {2}(\w+): (diag\([^]*?\)),?$(?=\n(?: {2}\w|$))/gm, 'var Diagnostics_$1 = /* @__PURE__ */ $2;'),
    )
    .replaceAll(/\bDiagnostics\.(?=\w)/g, 'Diagnostics_');
  return [
    parser,
    between('var NodeObject', 'var SymbolObject'),
    between('var TokenObject', 'var TypeObject'),
    `setObjectAllocator({
      getNodeConstructor: () => NodeObject,
      getTokenConstructor: () => TokenObject,
      getIdentifierConstructor: () => IdentifierObject,
      getPrivateIdentifierConstructor: () => PrivateIdentifierObject,
      getSourceFileConstructor: () => NodeObject,
    });`,
  ].join('\n');
}

export const compiler: Plugin = {
  name: 'compiler',
  resolveId: { filter: { id: /^ts-morph$/ }, handler: () => ({ id: file, moduleSideEffects: false }) },
  transform: {
    filter: { id: /@ts-morph.common.dist.typescript\.js$/ },
    handler: (code, id) => `${parserOf(code)}\nexport * as ts from ${JSON.stringify(id)};`,
  },
};
