/** JSON5 (https://spec.json5.org), as recorders of requests write it: names without quotes, texts in single ones, comments and trailing commas. */
import { align } from '../text.ts';
import { type Data, type Entry, type Parsed, type Scalar, scalar } from './tree.ts';

/** @returns what the text can be taken for where it is no JSON5 */
export function parseJson5(source: string): Parsed {
  const tokens = tokensOf(source);
  const [root, behind] = tokens === undefined ? [undefined, 0] : valueAt(tokens, 0, 0);
  return root === undefined || behind !== tokens?.length
    ? { roots: [], fault: { at: 0, reason: 'it cannot be read as JSON5' } }
    : { roots: [root] };
}

interface Token {
  /** A sign, or the beginning of a text or a word. */
  readonly sign: string;
  readonly scalar: Scalar;
}

const token = /\s+|\/\/[^\n]*|\/\*[^]*?\*\/|([{}[\],:])|("(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')|([^\s{}[\],:"'/]+)/y;

/** @returns undefined where something else stands between them */
function tokensOf(source: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  for (let at = 0; at < source.length; at = token.lastIndex) {
    const [found, sign, quoted] = token.exec(source) ?? [];
    if (found === undefined) return undefined;
    if (/^(?:\s|\/)/.test(found)) continue;
    const place = { start: at, end: at + found.length };
    const inner = { start: at + 1, end: at + found.length - 1 };
    const value = quoted === undefined ? found : quoted.slice(1, -1);
    // What is escaped is nothing that is looked for.
    const isPlain = quoted !== undefined && !quoted.includes('\\');
    tokens.push({
      sign: sign ?? found.charAt(0),
      scalar: scalar(place, value, () => (isPlain ? align(source, inner, value, false) : undefined)),
    });
  }
  return tokens;
}

/** Deeper ones nobody writes. */
const deepest = 200;

type Read<T> = readonly [read: T | undefined, behind: number];

function valueAt(tokens: readonly Token[], at: number, depth: number): Read<Data> {
  const first = tokens[at];
  if (first === undefined || depth > deepest || /[\]},:]/.test(first.sign)) return [undefined, at];
  const { scalar: word, sign } = first;
  if (sign !== '{' && sign !== '[') return [word.value === 'null' ? { kind: 'opaque', start: word.start, end: word.end } : word, at + 1];
  const isMap = sign === '{';
  const [entries, items]: [Entry[], Data[]] = [[], []];
  for (let next = at + 1; ;) {
    const end = tokens[next];
    if (end?.sign === (isMap ? '}' : ']')) {
      const place = { start: word.start, end: end.scalar.end };
      return [isMap ? { kind: 'map', ...place, entries } : { kind: 'list', ...place, items }, next + 1];
    }
    if (isMap && (end === undefined || /[[{},:]/.test(end.sign) || tokens[next + 1]?.sign !== ':')) return [undefined, next];
    const [value, behind] = valueAt(tokens, isMap ? next + 2 : next, depth + 1);
    if (value === undefined) return [undefined, behind];
    if (isMap && end !== undefined) entries.push({ key: end.scalar, value });
    else items.push(value);
    const comma = tokens[behind]?.sign;
    if (comma !== ',' && comma !== '}' && comma !== ']') return [undefined, behind];
    next = comma === ',' ? behind + 1 : behind;
  }
}
