/**
 * Calls in the templates of components: `@click="api.post('/v1/messages/send')"`, `{#await api.get('/v1/contacts')}`. Of a template that speaks of the
 * service each outermost call around such a text is read as a statement of the script; what surrounds it decides when it is made, not what is asked.
 */
import { v1Auth } from '../../src/contract/auth.ts';
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import type { TextRange } from './text.ts';

export interface TemplateCalls {
  /** Calls that mean in the script what they mean in the template. */
  readonly calls: readonly TextRange[];
  /** Others that hold the version or the header. */
  readonly unread: readonly TextRange[];
}

export interface Template {
  /** As long as the file, with everything but the template blanked. */
  readonly text: string;
  readonly kind: 'vue' | 'svelte' | 'astro';
  /** Its scripts. */
  readonly script: string;
  /** Whether names of the template are those of the script; else they are members of a component. */
  readonly isInScope: boolean;
}

const heads = [...new Set(Object.values(v1Endpoints).map(({ path }) => path.split('/')[2] ?? ''))].join('|');
const ofV1 = new RegExp(`/v1(?![\\w-])|(?<![\\w-])${v1Auth.field}(?![\\w-])`, 'i');
/** A whole address says of a client whom else it asks. */
const suspicious = new RegExp(`${ofV1.source}|["'\`/](?:${heads})(?![\\w-])|["'\`]https?:`, 'gi');

/** Linear in the text, and nothing where it does not speak of the service. */
export function templateCalls(template: Template): TemplateCalls {
  const { text, script, isInScope } = template;
  if (text.search(suspicious) === -1) return { calls: [], unread: [] };
  const expressions = expressionsIn(template);
  const locals = namesOf(text, script);
  const [calls, unread] = [new Map<number, TextRange>(), new Map<number, TextRange>()];
  for (const { start: from, end } of expressions) {
    const expression = text.slice(from, end);
    const places = Array.from(expression.matchAll(suspicious), ({ index }) => index);
    const made = places.length === 0 ? [] : callsIn(expression);
    for (const place of places) {
      const around = made.filter((each) => each.start < place && place < each.end).toSorted((one, other) => one.start - other.start);
      const whole = around.find((each) => !isMarkup.test(expression.slice(each.start, each.end)));
      const outermost = whole ?? around[0];
      if (outermost === undefined) continue;
      const code = expression.slice(outermost.start, outermost.end);
      const isRead =
        whole !== undefined &&
        !/&\w+;/.test(code) &&
        (isInScope || code.startsWith('$')) &&
        !namesIn(code).some((name) => locals.has(name));
      if (isRead || ofV1.test(code))
        (isRead ? calls : unread).set(from + outermost.start, { start: from + outermost.start, end: from + outermost.end });
    }
  }
  return { calls: [...calls.values()], unread: [...unread.values()] };
}

/** Where a template has code. */
export const expressionsIn = ({ text, kind }: Pick<Template, 'text' | 'kind'>): TextRange[] =>
  kind === 'vue' ? [...valuesIn(text), ...mustachesIn(text)] : bracesIn(text);

/** Of attributes of Vue that hold code. */
const valuesIn = (text: string): TextRange[] =>
  Array.from(text.matchAll(/(?<=\s)(?:v-|[:@#])[\w.:[\]-]+=(?:"[^"]*"|'[^']*')/g), ({ index, 0: found }) => ({
    start: index + found.indexOf('=') + 2,
    end: index + found.length - 1,
  }));

function mustachesIn(text: string): TextRange[] {
  const found: TextRange[] = [];
  for (let start = text.indexOf('{{'); start !== -1;) {
    const end = text.indexOf('}}', start);
    if (end === -1) break;
    found.push({ start: start + 2, end });
    start = text.indexOf('{{', end);
  }
  return found;
}

/** What stands between braces, whatever these stand in. */
function bracesIn(text: string): TextRange[] {
  const found: TextRange[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (depth > 0) at = behindText(text, at, text.length);
    if (text[at] === '{' && depth++ === 0) from = at + 1;
    else if (text[at] === '}' && depth > 0 && --depth === 0) found.push({ start: from, end: at });
  }
  return found;
}

/** The last character of a text in quotes that begins here; one that does not end in its line is an apostrophe. */
function behindText(code: string, at: number, end: number): number {
  const quote = code[at];
  if (quote !== "'" && quote !== '"' && quote !== '`') return at;
  const isOneLine = quote !== '`';
  for (let next = at + 1; next < end; next++) {
    if (code[next] === quote) return next;
    if (code[next] === '\n' && isOneLine) return at;
    if (code[next] === '\\') next++;
  }
  return at;
}

/** The calls of an expression that begin with a name: `api.get(…)`, and `api.get(…).then(…)` as a whole. */
function callsIn(code: string): TextRange[] {
  const found: TextRange[] = [];
  const open: { readonly isCall: boolean; readonly start: number }[] = [];
  let last: TextRange | undefined;
  for (let at = 0; at < code.length; at++) {
    at = behindText(code, at, code.length);
    const character = code[at] ?? '';
    if ('([{'.includes(character)) {
      const { 0: callee = '', index = at } = (character === '(' && called.exec(code.slice(Math.max(0, at - longestCallee), at))) || {};
      const start = Math.max(0, at - longestCallee) + index;
      const chained = /^\??\./.test(callee) && last?.end === start ? last.start : undefined;
      open.push({ isCall: callee !== '' && (chained !== undefined || isName.test(callee)), start: chained ?? start });
    } else if (')]}'.includes(character)) {
      const opened = open.pop();
      if (opened?.isCall !== true || character !== ')') continue;
      last = { start: opened.start, end: at + 1 };
      found.push(last);
    }
  }
  return found;
}

const longestCallee = 200;
const called = /\??\.?[\w$]+(?:\??\.[\w$]+)*(?:<[\w\s,.[\]|]*>)?$/;
const isName = /^(?!(?:if|for|while|switch|catch|function|return|typeof|await|async|new)\b)[A-Za-z_$]/;
const isMarkup = /<[A-Za-z/>]/;

const namesIn = (code: string): readonly string[] => code.match(/[A-Za-z_$][\w$]*/g) ?? [];

/** What a template declares itself – each of a list, what a function takes, what is awaited –, where the script has something by that name, too. */
function namesOf(text: string, script: string): ReadonlySet<string> {
  const declared = [
    /(?<=\{#each\s[^{}\n]{0,300}\sas\s)[^}\n]+/g,
    /(?<=\{(?:#await\s[^\n]{0,300}\s|:)(?:then|catch)\s)[^}\n]+/g,
    /(?<=\blet:)\w+/g,
    /(?<=\{#snippet\s\w+\()[^)]*/g,
    /(?<=\bv-for=["']\(?)[^"'()]*(?=\)?\s(?:in|of)\s)/g,
    /(?<=(?:\bv-slot|\s#)[\w:.-]*=")[^"]+/g,
    /(?<=\()[^()]{0,300}(?=\)\s*(?::[^()={}]{0,100})?=>)|[\w$]+(?=\s*=>)|(?<=\bfunction\s*\w{0,100}\()[^()]*/g,
    /(?<=(?:const|let|var)\s)[^=;]{0,300}(?==)/g,
  ];
  const own = new Set(namesIn(script));
  return new Set(declared.flatMap((each) => (text.match(each) ?? []).flatMap(namesIn)).filter((name) => own.has(name)));
}
