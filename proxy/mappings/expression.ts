/** JSONata behind one door: compiled once, guarded at run time, with errors that quote no data. */
import jsonata from 'jsonata';
import { MappingError, type MappingWhere } from './error.ts';
import { formatJson, parseJson } from './json.ts';

/**
 * Expressions are trusted, but a mistake in one must not stop the proxy: at most this many milliseconds, nested evaluations and elements of a list.
 * 1 MiB of contacts takes about 0.1 s. The engine looks between two steps, so a regular expression that backtracks for ever is not caught.
 */
const guards = { timeout: 1000, stack: 1000, sequence: 1_000_000 };

/** Gives what the expression says about an input; undefined where it says nothing. */
export type Evaluate = (input: unknown) => Promise<unknown>;

/**
 * Compiles an expression.
 * @throws MappingError MAPPING_INVALID on a syntax error, MAPPING_FAILED (when evaluated) on any other
 */
export function compileExpression(where: MappingWhere, source: string): Evaluate {
  const expression = compile(where, source);
  // The transform operator works on a copy, which JSONata's own $clone makes with JSON.parse and numbers cut to 15 digits.
  expression.registerFunction('clone', (value: unknown) => parseJson(formatJson(value)));
  return async (input) => {
    try {
      return await expression.evaluate(input);
    } catch (error) {
      const fault = faultOf(error);
      throw new MappingError('MAPPING_FAILED', where, `${describe(fault)}; the expression does not fit what it was given`, fault);
    }
  };
}

function compile(where: MappingWhere, source: string): jsonata.Expression {
  try {
    return jsonata(source, guards);
  } catch (error) {
    const reason = hasMessage(error) ? `: ${error.message}` : '';
    throw new MappingError('MAPPING_INVALID', where, `not a JSONata expression (${describe(faultOf(error))})${reason}; correct it`, error);
  }
}

interface Fault {
  /** JSONata's code, such as T2001; or the name of another error. */
  readonly code: string;
  /** Where the fault showed, in characters from the start of the expression. */
  readonly position?: number;
}

/** JSONata throws plain objects; what else they hold may be data. */
function faultOf(error: unknown): Fault {
  if (typeof error !== 'object' || error === null) return { code: 'unknown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error instanceof Error ? error.name : 'unknown';
  return 'position' in error && typeof error.position === 'number' ? { code, position: error.position } : { code };
}

function describe({ code, position }: Fault): string {
  return position === undefined ? code : `${code} at character ${position}`;
}

function hasMessage(error: unknown): error is { message: string } {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
}
