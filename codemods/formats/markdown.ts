/** Markdown: code blocks are read in their language; prose is nobody's. */
import { v2Auth } from '../../src/contract/auth.ts';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { SourceText } from '../evaluate/values/source-text.ts';
import { isMdx } from '../find/modules/document-pages.ts';
import { isChangeLog } from './change-log.ts';
import { readJson, readToml, readYaml } from './data/read.ts';
import { pageScripts, unreadInPage } from './document-pages.ts';
import { readEnv } from './env-file.ts';
import { readHttp } from './http-file.ts';
import { withoutLeftOut } from './left-out.ts';
import { type Reading, type Stretch, merge } from './reading.ts';
import { readScripts } from './shell/script.ts';
import { type TextRange, blank, coverOf, plain } from './text.ts';

interface Block extends TextRange {
  readonly language: string;
  /** As long as the place: marks of quotations and output of commands are blank. */
  readonly code: string;
}

/** What mdast gives, as far as it is read. */
interface Node {
  readonly type: string;
  readonly lang?: string | null | undefined;
  readonly children?: readonly Node[];
  readonly position?:
    | { readonly start: { readonly offset?: number | undefined }; readonly end: { readonly offset?: number | undefined } }
    | undefined;
}

/** What highlighters call a shell, and what they call one with its output. */
const ofShell = 'sh|bash|shell|zsh|ksh|dash|shell-?script';
const ofSession = 'console|(?:sh|bash|shell)[-_]?session|terminal|command-?line|cli';
const shellAlone = new RegExp(`^(?:${ofShell})$`);
const shells = new RegExp(`^(?:${ofShell}|${ofSession}|curl|docker(?:file)?|make(?:file)?)$`);
const scripts: Readonly<Record<string, string>> = {
  js: 'js',
  javascript: 'js',
  node: 'js',
  mjs: 'mjs',
  cjs: 'cjs',
  jsx: 'jsx',
  ts: 'ts',
  typescript: 'ts',
  mts: 'mts',
  tsx: 'tsx',
};
const readers: Readonly<Record<string, (stretch: Stretch) => Reading>> = {
  http: readHttp,
  rest: readHttp,
  json: readJson,
  jsonc: readJson,
  yaml: readYaml,
  yml: readYaml,
  toml: readToml,
  env: readEnv,
  dotenv: readEnv,
};

const isScript = ({ language }: Block): boolean => Object.hasOwn(scripts, language);
const isShell = ({ language }: Block): boolean => shells.test(language);

export function readMarkdown({ source }: Stretch): Reading {
  const fenced = blocksOf(source);
  const inline = isChangeLog(source.file) ? [] : commandsIn(source.text, fenced);
  const blocks = [...fenced, ...inline].toSorted((one, other) => one.start - other.start);
  const worth = blocks.filter(({ code }) => worthReading.test(code));
  const run = pageScripts(source.text, source.file, fenced).map(({ start, end }) => ({ start, code: source.text.slice(start, end) }));
  const unread = unreadInPage(source.text, source.file, fenced);
  const code = [...blocks.filter(isScript), ...run].flatMap(withoutComments);
  const others = blocks.filter((block) => !isScript(block));
  // The commands of a document are one session.
  const shell = blocks.filter(isShell).map(({ code, start }) => plain(code, start));
  return merge([
    readScripts(shell, { source, start: 0, text: source.text }),
    ...worth.flatMap(({ language, code, start }) => {
      const read = Object.hasOwn(readers, language) ? readers[language] : undefined;
      return read?.({ source, start, text: code }) ?? [];
    }),
    { elsewhere: code, unread, prose: between([...code, ...others, ...unread], source.text.length) },
  ]);
}

/** What stands in a script without its comments, which are for people. */
function withoutComments({ start, code }: Pick<Block, 'start' | 'code'>): TextRange[] {
  const comments = commentsIn(code).map((each) => ({ start: start + each.start, end: start + each.end }));
  const edges = [...comments, { start: start + code.length, end: start + code.length }];
  return edges.map((each, index) => ({ start: edges[index - 1]?.end ?? start, end: each.start }));
}

/** Where a comment begins: no `//` of an address, which has no space before it. */
const opening = /(?<=^|[\s;,{(])\/\/.*$|(?<=^|\s)\/\*/gm;

function commentsIn(code: string): TextRange[] {
  const found: TextRange[] = [];
  const last = code.lastIndexOf('*/');
  for (const { index, 0: said } of code.matchAll(opening)) {
    if (index < (found.at(-1)?.end ?? 0) || (said === '/*' && index + 2 > last)) continue;
    found.push({ start: index, end: said === '/*' ? code.indexOf('*/', index + 2) + 2 : index + said.length });
  }
  return found;
}

/** `` `curl https://…` `` in a sentence, unless its line also says how that is on v2. */
function commandsIn(source: string, blocks: readonly TextRange[]): Block[] {
  const isInBlock = coverOf(blocks);
  return [...source.matchAll(/^.*`.*$/gm)].flatMap(({ index: at, 0: line }) => {
    if (onV2.test(line)) return [];
    return [...line.matchAll(/(?<=(?<!`)`(?:\$ +)?)(?:curl|wget|https?|xh) [^`]+(?=`(?!`))/g)].flatMap(({ index, 0: code }) => {
      const place = { start: at + index, end: at + index + code.length };
      return isInBlock(place) ? [] : [{ ...place, language: 'sh', code }];
    });
  });
}

const onV2 = new RegExp(`/v2\\b|\\b${v2Auth.field}\\b`, 'i');

/** Without an address, a variable or the header nothing can be ours. */
const worthReading = /:\\?\/|\$|\{\{|x-api-key/i;

export interface DocumentScript extends TextRange {
  readonly extension: string;
  /** What an engine reads there, where that is not what stands there. */
  readonly text?: string;
  /** Whether it runs with the document as a page of a program, which all such of it are; else it is code that is shown. */
  readonly isOfPage: boolean;
}

/** The script blocks, for the rules that read JavaScript and TypeScript, and behind them what runs with the page. */
export function markdownScripts(text: string, file: string): DocumentScript[] {
  const blocks = blocksOf({ text, file });
  const shown = blocks.flatMap(({ language, start, end, code }): DocumentScript[] => {
    const extension = Object.hasOwn(scripts, language) ? scripts[language] : undefined;
    return extension === undefined ? [] : [{ start, end, extension, text: withoutLeftOut(code), isOfPage: false }];
  });
  return [...shown, ...pageScripts(text, file, blocks).map((part) => ({ ...part, isOfPage: true }))];
}

/** Whether something that its text asks or hands on is not read. */
export const isCutPage = (text: string, file: string): boolean => unreadInPage(text, file, blocksOf({ text, file })).length > 0;

type Document = Pick<SourceText, 'file' | 'text'>;

let last: (Document & { readonly blocks: readonly Block[] }) | undefined;

/** The code blocks of the last document that was asked about: what it shows, what runs with it and what is left unread all begin with them. */
function blocksOf({ file, text }: Document): readonly Block[] {
  if (last?.file !== file || last.text !== text) last = { file, text, blocks: blocksIn({ file, text }) };
  return last.blocks;
}

/** All code blocks, fenced and indented. */
function blocksIn({ file, text: source }: Document): Block[] {
  const isOfMdx = isMdx(file, source);
  const blocks: Block[] = [];
  let from = 0;
  const visit = (node: Node, isQuoted: boolean): void => {
    for (const child of node.children ?? []) visit(child, isQuoted || node.type === 'blockquote');
    const [start, end] = [node.position?.start.offset, node.position?.end.offset];
    if (node.type !== 'code' || start === undefined || end === undefined) return;
    const place = innerOf(source, { start: from + start, end: from + end });
    const code = unquoted(source.slice(place.start, place.end), isQuoted);
    const language = languageOf((node.lang ?? '').toLowerCase(), code);
    blocks.push({ ...place, language, code: shells.test(language) ? withoutOutput(code) : code });
  };
  for (const section of sectionsOf(source)) {
    if (!mayHoldCode.test(section.text)) continue;
    from = section.start;
    visit(fromMarkdown(section.text.replaceAll(deeplyNested, blank), isOfMdx ? withoutHtml : blocksOnly), false);
  }
  return blocks.map((block) => (isShownAsShell(block, source) ? { ...block, language: 'env' } : block));
}

/**
 * Variables alone that no command of the document reads: in a shell they would be nobody's, so a file of settings is shown. Where a comment says that
 * it is that of something else, nobody knows what reads it.
 */
const isShownAsShell = ({ language, code }: Block, source: string): boolean =>
  shellAlone.test(language) &&
  code.split('\n').every((line) => assignment.test(line)) &&
  !ofSomethingElse.test(code) &&
  !Array.from(code.matchAll(/^\s*(\w+)=/gm)).some(([, name = '']) => new RegExp(String.raw`\$\{?${name}(?!\w)`).test(source));
const assignment = /^\s*(?:#.*|[A-Z]\w*=(?:[^\s$`]*|"[^"$`]*"|'[^']*')\s*(?:\s#.*)?)?$/;

/** A comment about another program, repository or language. */
const ofSomethingElse = new RegExp(
  String.raw`(?:^|\s)#.*(?<![\w-])(?:${[
    'another|elsewhere|separate(?:ly)?|external(?:ly)?|legacy|third[- ]party|vendor(?:s|ed)?|partners?|customers?|worker|cron(?:job)?|daemon|sidecar',
    String.raw`in go|(?:other|different|old|own)\s+(?:\w+\s+)?(?:apps?|applications?|programs?|services?|scripts?|jobs?|projects?|repos?|teams?|codebases?|systems?|tools?)`,
    'repo|repository|repositories|codebase|not\\s+(?:this|ours|part|here)',
    String.raw`python|django|flask|php|laravel|wordpress|ruby|rails|perl|java|kotlin|spring|scala|golang|rust|elixir|swift|c#|\.net|dotnet|powershell`,
  ].join('|')})(?![\w-])`,
  'im',
);

/** A fence, or a line that is indented. */
const mayHoldCode = /`{3}|~{3}|^(?: {4}| *\t)/m;

/** What is within paragraphs is no block of code. */
const within = ['attention', 'autolink', 'codeText', 'htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink'];
const blocksOnly = { extensions: [{ disable: { null: within } }] };
/** MDX has tags of its own, within which all may be indented: https://mdxjs.com/docs/what-is-mdx/#markdown. */
const withoutHtml = { extensions: [{ disable: { null: [...within, 'codeIndented', 'htmlFlow'] } }] };

/** Lists in lists and quotations in quotations, deeper than anybody writes them: the parser takes the square of their depth. */
const deeplyNested = /^[ \t>*+\-\d.)]{48,}[^\r\n]*/gm;

const fence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?<marks>`{3,}|~{3,})(?<rest>.*)/;
const usualSection = 1_000;
const maxSection = 2_000;

/**
 * A document in pieces between which nothing goes on, as the parser takes the square of what it is given at once. Where a paragraph at
 * the left edge would close all lists; in a long list between its lines; never within a fence.
 */
function* sectionsOf(source: string): Generator<{ readonly start: number; readonly text: string }> {
  let start = 0;
  let open: string | undefined;
  let isAfterBlank = true;
  for (const { index, 0: line } of source.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const length = index - start;
    const isEdge = isAfterBlank && /^[^\s>*+\-\d]/.test(line);
    if (open === undefined && (length >= maxSection || (length >= usualSection && isEdge))) {
      yield { start, text: source.slice(start, index) };
      start = index;
    }
    const { marks, rest = '' } = fence.exec(line)?.groups ?? {};
    if (open === undefined && marks !== undefined && !(marks.startsWith('`') && rest.includes('`'))) open = marks;
    else if (open !== undefined && marks?.startsWith(open) === true && rest.trim() === '') open = undefined;
    isAfterBlank = line.trim() === '';
  }
  yield { start, text: source.slice(start) };
}

/** The code of a block without its fences. */
function innerOf(source: string, { start, end }: TextRange): TextRange {
  const text = source.slice(start, end);
  const opening = /^(?:`{3,}|~{3,})[^\n]*\n?/.exec(text)?.[0].length;
  if (opening === undefined) return { start, end };
  const closing = /(?<=\n)[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.exec(text)?.index ?? text.length;
  return { start: start + opening, end: start + Math.max(opening, closing) };
}

/** The marks of a quotation before each line are no code. */
const unquoted = (code: string, isQuoted: boolean): string => (isQuoted ? code.replaceAll(/^[ \t]*(?:>[ \t]?)+/gm, blank) : code);

/** What a block says of its language, unless it sets variables: no language is said to be a text, and a script has addresses between quotes alone. */
function languageOf(said: string, code: string): string {
  const mayBeSettings = said === '' || ofSettings.test(said) || (Object.hasOwn(scripts, said) && /^\s*\w+=https?:/m.test(code));
  if (mayBeSettings && code.split('\n').every((line) => setting.test(line))) return 'env';
  return said || guess(code);
}

const ofSettings = /^(?:\.env(?:\.\w+)?|ini|properties|text|txt|plain(?:text)?)$/;
/** `NAME=value` with no command behind it, a comment, or nothing. */
const setting = /^\s*(?:#.*|(?:export\s+)?[A-Z][A-Z\d]*(?:_[A-Z\d]+)+=(?:\S*|"[^"]*"|'[^']*')\s*(?:\s#.*)?)?$/;

/** A block that names no language. */
function guess(code: string): string {
  // `API_URL=https://… npm start` sets it for what it starts.
  if (/^[ \t]*(?:\$[ \t]+)?(?:(?:[A-Z_]\w*=\S+[ \t]+)+\w|(?:curl|wget|https?|xh|export)[ \t])/m.test(code)) return 'sh';
  return /^[ \t]*(?:GET|POST|PUT|DELETE)[ \t]+(?:https?:|\{\{)/m.test(code) ? 'http' : '';
}

/** In a session only the lines after a prompt, and those that continue one, are commands. */
function withoutOutput(code: string): string {
  if (!/^[ \t]*\$ /m.test(code)) return code;
  let goesOn = false;
  return code.replaceAll(/^.*$/gm, (line) => {
    const isCommand = goesOn || /^\s*\$ /.test(line);
    goesOn = isCommand && /\\\r?$/.test(line);
    return isCommand ? line : blank(line);
  });
}

/** What lies outside the blocks. */
function between(blocks: readonly TextRange[], end: number): TextRange[] {
  const edges = [...blocks].toSorted((a, b) => a.start - b.start);
  return [...edges.map(({ start }, i) => ({ start: edges[i - 1]?.end ?? 0, end: start })), { start: edges.at(-1)?.end ?? 0, end }];
}
