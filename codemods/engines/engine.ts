import type { SyntaxTree } from '../syntax/tree.ts';

/** What turns text into the tree that the rules read; the only thing an engine does. */
export interface Engine {
  readonly name: 'typescript' | 'babel' | 'nginx';
  /**
   * @param path decides the dialect: .js .mjs .cjs .jsx .ts .mts .cts .tsx .json .nginx
   * @throws SyntaxFault where the text does not parse
   */
  parse(path: string, text: string): SyntaxTree;
  /** Throws as `parse` does, and makes no tree: half the work. */
  check(path: string, text: string): void;
}

export class SyntaxFault extends Error {
  readonly code = 'SYNTAX';
  /** Offset of what could not be read. */
  readonly at: number;
  constructor(message: string, at: number, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SyntaxFault';
    this.at = at;
  }
}

/** What a parser makes; the end of its stack is the file's fault, too. */
export function orFault<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxFault('nested too deeply', 0, { cause: error });
    throw error;
  }
}
