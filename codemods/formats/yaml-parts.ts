/** What stands in YAML as a text and is read by an engine: configuration of nginx, or else the scripts of steps that run actions/github-script. */
import { nginxBlocks } from './nginx-blocks.ts';
import type { TextRange } from './text.ts';

export interface YamlPart extends TextRange {
  readonly extension: 'nginx' | 'js';
  /** What an engine reads there, where that is not what stands there. */
  readonly text?: string;
}

export function yamlParts(yaml: string): YamlPart[] {
  const nginx = nginxBlocks(yaml);
  return nginx.length > 0 ? nginx : githubScripts(yaml);
}

const action = /^[ \t]*(?:-[ \t]+)?uses:[ \t]*["']?actions\/github-script@/m;
/** The key and its text, line by line and deeper than the key. */
const script = /^(?<indent> +)(?:- +)?script:[ \t]*\|[-+\d]*[ \t]*\r?\n(?<code>(?:(?:\k<indent> +[^\n]*|[ \t]*\r?)(?:\n|$))+)/gm;

/** `github.request('GET https://…')`, which no engine knows for a request. */
const askedInWords = /["'\x60](?:GET|POST|PUT|DELETE) https?:/;

/** https://github.com/actions/github-script: each is the body of a function of its own. */
function githubScripts(yaml: string): YamlPart[] {
  if (!action.test(yaml)) return [];
  return Array.from(yaml.matchAll(script)).flatMap(({ index, 0: whole, groups }) => {
    const { code = '', indent = '' } = groups ?? {};
    const end = index + whole.length;
    const start = end - code.length;
    // Its indentation gives way to braces around it: what two scripts declare are two things.
    const [head, tail] = [code.slice(0, 2), code.slice(-1)];
    if (head !== '  ' || tail !== '\n' || askedInWords.test(code) || !action.test(stepAround(yaml, index, indent.length))) return [];
    return [{ start, end, extension: 'js' as const, text: `;{${withoutExpressions(code.slice(2, -1))}}` }];
  });
}

/** What is a text of its own, or none: comments, templates, and texts in quotes. */
const written = /\/\/[^\n]*|\/\*[^]*?\*\/|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;

const expression = /\$\{\{[^{}`\n]*\}\}/g;

/**
 * What GitHub puts into a template before it is run, as a name of the same length: `/contacts/${{ github.event.number }}`. A text in quotes that has
 * such a part, and nothing that a template would read in another way, is one, too.
 */
const withoutExpressions = (code: string): string =>
  code.replaceAll(written, (text, at: number) => {
    const [quote = ''] = text;
    const named = text.replaceAll(expression, ({ length }) => `\${${'_'.repeat(length - 3)}}`);
    if (quote === '`') return named;
    const isTemplate = /['"]/.test(quote) && named !== text && !/["'`\\]|\$\{/.test(text.slice(1, -1).replaceAll(expression, ''));
    return isTemplate && !isName(code, at, at + text.length) ? `\`${named.slice(1, -1)}\`` : text;
  });

/** `{ '${{ env.HEADER }}': value }` */
const isName = (code: string, start: number, end: number): boolean =>
  /[{,]\s*$/.test(code.slice(0, start)) && /^\s*[:(]/.test(code.slice(end));

/** The item of a list that a key stands in, without those before and behind it. */
function stepAround(yaml: string, at: number, indent: number): string {
  const before = Array.from(yaml.slice(0, at).matchAll(/^( *)- /gm)).findLast(([, { length } = '']) => length < indent);
  if (before === undefined) return '';
  const [, { length } = ''] = before;
  const rest = yaml.slice(before.index);
  const next = rest.slice(before[0].length).search(new RegExp(`(?<=\\n) {0,${length}}[^\\s#]`));
  return next === -1 ? rest : rest.slice(0, before[0].length + next);
}
