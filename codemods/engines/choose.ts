/** Which engine reads a file. The engines are large, so they are loaded only by a run that has something to read. */
import type { SyntaxTree } from '../syntax/tree.ts';
import { SyntaxFault, type Engine } from './engine.ts';
import { nginx } from './nginx.ts';

export interface Parsed {
  readonly tree: SyntaxTree;
  readonly engine: Engine['name'];
}

export interface Engines {
  /**
   * TypeScript's compiler reads all it can; files marked `@flow` and JavaScript that it cannot read go to the parsers for Flow.
   *
   * @param path decides the dialect: .js .mjs .cjs .jsx .ts .mts .cts .tsx .json .nginx
   * @throws SyntaxFault of the engine asked first, where none can read the text
   */
  parse(path: string, text: string): Parsed;
  /** Throws as `parse` does, and makes no tree. */
  check(path: string, text: string): void;
}

/** Loads the TypeScript engine; the one for Flow is loaded with the first file that needs it. */
export async function loadEngines(): Promise<Engines> {
  const [{ typescript }, { babel }] = await Promise.all([import('./typescript.ts'), import('./babel.ts')]);
  const first = <Made>(path: string, text: string, ask: (engine: Engine) => Made): Made => {
    if (path.endsWith('.nginx')) return ask(nginx);
    const engines = !isJavaScript(path) ? [typescript] : isFlow(text) ? [babel, typescript] : [typescript, babel];
    let fault: SyntaxFault | undefined;
    for (const engine of engines) {
      try {
        return ask(engine);
      } catch (error) {
        if (!(error instanceof SyntaxFault)) throw error;
        fault ??= error;
      }
    }
    throw fault ?? new SyntaxFault('no engine for such files', 0);
  };
  return {
    parse: (path, text) => first(path, text, (engine) => ({ tree: engine.parse(path, text), engine: engine.name })),
    check: (path, text) => first(path, text, (engine) => engine.check(path, text)),
  };
}

const isJavaScript = (path: string): boolean => /\.([mc]?js|jsx)$/.test(path);

/** The mark stands in a comment before the code: `@flow`, `@flow strict`, not `@noflow`. */
function isFlow(text: string): boolean {
  if (!text.includes('@flow')) return false;
  const head = /^\uFEFF?(?:#!.*)?(?:\s|\/\/.*|\/\*[^]*?\*\/)*/.exec(text)?.[0] ?? '';
  return /@flow\b/.test(head);
}
