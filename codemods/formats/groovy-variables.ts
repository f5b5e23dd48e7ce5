/** What a pipeline of Jenkins sets: variables of the environment, and such of Groovy as are one text wherever they are set. */
import { type Groovy, type GroovyText, notKnown, valueOf } from './groovy-texts.ts';
import { type Text, type TextRange, slice } from './text.ts';
import type { Definition } from './variables.ts';

export interface Setters {
  /** What all that is run has in its environment. */
  readonly given: readonly Definition[];
  /** What only Groovy puts in, under the name that texts ask for it by. */
  readonly variables: readonly Definition[];
  /** Where what is set stands, name and text. */
  readonly places: readonly TextRange[];
  /** What is asked for by a name of Groovy; undefined where its value is not known. */
  variableOf(name: string): string | undefined;
  valueOf(text: GroovyText): Text;
}

interface Set extends TextRange {
  readonly name: string;
  /** undefined where it is put together, or found out. */
  readonly text: GroovyText | undefined;
  /** What it is set to, however that is written. */
  readonly to: TextRange;
}

const block = /(?<![\w.$])environment\s*\{/g;
const list = /(?<![\w.$])withEnv\s*\(?\s*\[/g;
const entry = /(?<=[{;\n]\s*)(?<name>[A-Za-z_]\w*)\s*=(?![=~])\s*/g;
const ofEnvironment = /(?<![\w.$])env\.(?<name>[A-Za-z_]\w*)\s*=(?![=~])\s*/g;
const ofGroovy = /(?<![\w.$])(?<name>[A-Za-z_]\w*)\s*(?<sign>[-+*/%]|<<|\*\*)?=(?![=~])\s*/g;
/** Parameters of functions and closures, several that are set at once, items of a loop. */
const others = [
  /(?<![\w.$])(?:def|void|String|boolean|int|Map|List)\s+\w+\s*\((?<names>[^()]*)\)/g,
  /(?<=[{(]\s*)(?<names>[\w\s,]+)->/g,
  /(?<![\w.$])def\s*\((?<names>[^()]*)\)/g,
  /(?<![\w.$])for\s*\((?<names>[^();]*?)(?:\bin\b|:)/g,
];
const loading = /(?<![\w.$])(?:load|evaluate)\b[ \t]*\(?[ \t]*'/;
/** What goes on behind a text is put to it, or made of it. */
const whole = /'(?:\.(?:stripIndent|trim)\(\))*[ \t]*(?:\s*[,;)}\]]|\r?\n(?!\s*[+.?])|$)/y;

/** Whether a text that ends there is all that is meant. */
export function isWhole(code: string, end: number): boolean {
  whole.lastIndex = end - 1;
  return whole.test(code);
}

export function settersIn(groovy: Groovy): Setters {
  const { code, texts } = groovy;
  const byStart = new Map(texts.map((text) => [text.start, text]));
  const setAt = (pattern: RegExp, { start, end }: TextRange): Set[] =>
    Array.from(code.slice(start, end).matchAll(pattern), ({ index, 0: found, groups: { name = '', sign } = {} }) => {
      const at = start + index;
      const from = at + found.length;
      const text = byStart.get(from);
      const isText = text !== undefined && sign === undefined && isWhole(code, text.end);
      const line = code.slice(from).search(/[\r\n;}]|$/);
      return { name, start: at, end: at + found.length, text: isText ? text : undefined, to: { start: from, end: from + line } };
    });
  const blocks = Array.from(code.matchAll(block), ({ index, 0: found }) => closedAt(code, index + found.length - 1));
  const outside = blocks.reduce((rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end), code);
  const all = { start: 0, end: code.length };
  const given = [...blocks.flatMap((each) => setAt(entry, each)), ...setAt(ofEnvironment, all)];
  const own = setAt(ofGroovy, all).filter(({ start }) => outside[start] !== ' ');
  const byName = Map.groupBy(own, ({ name }) => name);
  const open = new Set(
    others.flatMap((pattern) => Array.from(code.matchAll(pattern), ({ groups }) => groups?.['names']?.match(/\w+/g) ?? []).flat()),
  );
  // What is set without a declaration, files that are loaded have, too.
  const isLoading = loading.test(code);
  const isOpen = (name: string): boolean =>
    open.has(name) || (isLoading && !new RegExp(String.raw`(?<![\w.$])(?:def|var|final|String)\s+${name}\b`).test(code));
  const isText = (name: string): boolean => !isOpen(name) && byName.get(name)?.every(({ text }) => text !== undefined) === true;
  const variableOf = (name: string): string | undefined => {
    if (name.startsWith('env.')) return name.slice('env.'.length);
    if (!byName.has(name) && !open.has(name)) return name === '' ? undefined : name;
    return isText(name) ? `groovy.${name}` : undefined;
  };
  const read = (text: GroovyText): Text => valueOf(text, variableOf);
  const set = ({ name, text, to }: Set): Definition => ({ name, value: text === undefined ? notKnown(to) : read(text) });
  const lists = Array.from(code.matchAll(list), ({ index, 0: found }) => closedAt(code, index + found.length - 1));
  const listed = lists.flatMap(({ start, end }) =>
    texts.flatMap((text): { text: GroovyText; definition: Definition }[] => {
      const [sign] = /^[A-Za-z_]\w*=/.exec(text.inner) ?? [];
      if (text.start < start || text.end > end || sign === undefined) return [];
      const value = isWhole(code, text.end) ? slice(read(text), sign.length) : notKnown(text);
      return [{ text, definition: { name: sign.slice(0, -1), value } }];
    }),
  );
  const known = own.filter(({ name }) => isText(name));
  return {
    given: [...given.map(set), ...listed.map(({ definition }) => definition)],
    variables: known.map((each) => ({ ...set(each), name: `groovy.${each.name}` })),
    places: [
      ...[...given, ...own].flatMap(({ text, ...name }) => [name, ...(text === undefined ? [] : [text])]),
      ...listed.map(({ text }) => text),
    ],
    variableOf,
    valueOf: read,
  };
}

const opening = /[{[(]/;
const closing = /[}\])]/;

/** From what opens a block to what closes it. */
function closedAt(code: string, start: number): TextRange {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    if (opening.test(code.charAt(at))) depth++;
    else if (closing.test(code.charAt(at)) && --depth === 0) return { start, end: at + 1 };
  }
  return { start, end: code.length };
}
