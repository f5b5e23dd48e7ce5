/** The one place that loads jscodeshift: for the parsers it brings, in the set-up its users know. */
import { createRequire } from 'node:module';
import { SyntaxFault } from '../engine.ts';
import { isNode, type AstNode } from './nodes.ts';

type Name = 'flow' | 'babylon' | 'ts' | 'tsx';

interface Parser {
  parse(text: string): unknown;
}

// jscodeshift has no types for it, and no entry of its own.
const getParser = createRequire(import.meta.url)('jscodeshift/src/getParser') as (name: Name) => Parser;

/**
 * The Flow parser knows all of Flow, Babel's knows proposals that Flow's does not. After a line or paragraph separator (U+2028,
 * U+2029) within a string, Flow's offsets are wrong.
 */
function parsersFor(path: string, text: string): readonly Name[] {
  if (/\.[mc]?ts$/.test(path)) return ['ts'];
  if (path.endsWith('.tsx')) return ['tsx'];
  return /[\u2028\u2029]/.test(text) ? ['babylon'] : ['flow', 'babylon'];
}

/**
 * @returns a `File` or `Program` node
 * @throws SyntaxFault of the first parser, where none can read the text
 */
export function parseWith(path: string, text: string): AstNode {
  let first: SyntaxFault | undefined;
  for (const name of parsersFor(path, text)) {
    try {
      const parsed = getParser(name).parse(text);
      if (isNode(parsed)) return parsed;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      first ??= new SyntaxFault(error.message, offsetOf(error, text), { cause: error });
    }
  }
  throw first ?? new SyntaxFault('no parser for such files', 0);
}

/** Babel tells the offset, Flow a line (from 1) and a column (from 0). */
function offsetOf(error: SyntaxError & { readonly pos?: unknown; readonly loc?: unknown }, text: string): number {
  if (typeof error.pos === 'number') return error.pos;
  const { loc } = error;
  if (typeof loc !== 'object' || loc === null || !('line' in loc) || !('column' in loc)) return 0;
  const before = text.split(/(?<=\r\n|\n|\r(?!\n)|\u2028|\u2029)/).slice(0, Number(loc.line) - 1);
  return Math.min(text.length, before.join('').length + Number(loc.column));
}
