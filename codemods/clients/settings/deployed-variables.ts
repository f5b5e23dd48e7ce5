/** Variables of the environment that code sets for programs which it builds, starts or deploys, as the configurations of tools have them. */
import { ofPage, ofProcess } from '../../find/words/code-settings.ts';
import { once } from '../../once.ts';
import { namesEnvironmentSetter, testOpening } from '../testing/libraries.ts';
import { schemaDefault } from './astro.ts';
import { environmentObjectsIn } from './environment-objects.ts';

/** `window.__env.apiUrl = 'https://…'` */
const assigned = new RegExp(String.raw`${ofPage}\.([A-Za-z_]\w*)\s*=\s*(['"\x60])((?:(?!\2)[^\\$\n])*)\2(?=[^\S\n]*(?:[;,}\n]|$))`, 'g');
/**
 * Variables of the environment that code sets for programs which it starts or deploys: `env` in PM2's `ecosystem.config.js` and in `next.config.js`, `environment` of a function
 * in the CDK, SST and Pulumi, `bindings` of Miniflare, `Object.assign(process.env, { … })`, `process.env = { … }`, and what a page has them in, `window.__ENV__` or `window.appConfig`.
 */
export const settingOpening = new RegExp(
  String.raw`\b(?:env(?:_\w+|ironment(?:Variables)?|Vars)?|variables|bindings)['"]?\s*:\s*(?=\{)|\bEnvironmentPlugin\(\s*(?=\{)|['"]process\.env['"]\s*:\s*JSON\.stringify\(\s*(?=\{)|\bprocess\.env\s*[,=]\s*(?=\{)|${ofPage}(?:\s*\|\|\s*\{\s*\})?\s*[,=]\s*(?=\{)`,
);
/** A comment, a text without escapes or placeholders, another one, a bracket, or what stands between these. */
const token =
  /\/\/.*|\/\*[^]*?\*\/|(?<quote>['"`])(?<plain>(?:(?!\k<quote>)[^\\$\n])*)\k<quote>|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?<parts>(?:\\.|[^`\\])*)`|[([{]|[)\]}]|[^'"`/()[\]{}]+|\//gy;

export interface CodeSetting {
  readonly name: string;
  /** With its placeholders, where it is put together. */
  readonly value: string;
  readonly isWhole: boolean;
  /** Of the text, without its quotes. */
  readonly start: number;
  readonly end: number;
  /** Where a name of it is put that has it: `environment: { API_URL }`, or of an object that it stands in. */
  readonly usedAt?: readonly number[];
}

/** `fn.addEnvironment('API_URL', 'https://…')` of functions and containers in the CDK. */
const addedTo = /\.addEnvironment\(\s*['"`]([A-Z][A-Z\d_]*)['"`]\s*,\s*(['"`])((?:(?!\2)[^\\$\n])*)\2(?=\s*[,)])/g;

/** What stands for a text in code that is put in the place of a name: `JSON.stringify('https://…')`, `'"https://…"'`; and what the name has where it is set when it is built. */
const asCode = String.raw`\s*:\s*(?:JSON\.stringify\(\s*(?:process\.env\.\1\s*(?:\?\?|\|\|)\s*)?|['\x60](?="))(['"\x60])((?:(?!\2)[^\\$\n])*)\2(?=\s*[)'\x60])`;
/** `'process.env.API_URL': JSON.stringify('https://…')` of webpack's DefinePlugin, and of `define` in Vite and esbuild. */
const defined = new RegExp(String.raw`['"](?:process|import\.meta)\.env\.([A-Z][A-Z\d_]*)['"]${asCode}`, 'g');
/** The same below `'process.env': {`, with nothing in braces before it. */
const definedBelow = new RegExp(String.raw`\b([A-Z][A-Z\d_]*)['"]?${asCode}`, 'g');
const ofDefined = /['"]process\.env['"]\s*:\s*\{([^{}]*)/g;

/** What tells a bundler to put texts in the place of names; the environment beside these is that of tests. */
export const isOfBundler = /(?:^|\/)vite\.config\./;

/** By what it is said which program is given variables, in or before the braces that have them. */
export const givingPrograms = {
  /** An app of PM2 … */
  script: /\bscript['"]?\s*:\s*(['"`])(.+?)\1(?:[^{}]*?\bargs['"]?\s*:\s*['"`](.+?)['"`])?/s,
  /** … and what that is run by, where that is no runtime of JavaScript. */
  interpreter: /\binterpreter['"]?\s*:\s*['"`]([^'"`\s]*(?:python|ruby|perl|php)[\d.]*)['"`]/,
  /** A container of the CDK, a function of it that is no script, and either with what is the project's own. */
  image: /\bfromRegistry\(\s*['"`]([^'"`$]+)['"`]/,
  runtime: /\bRuntime\.(?!NODEJS|PROVIDED)([A-Z]\w+)/,
  own: /\bfrom(?:Asset|EcrRepository)\(|\b(?:entry|handler)['"]?\s*:/,
  /** `spawn('texts-bridge', ['serve'], ` */
  started: /\b(?:spawn|execFile|execa|fork)(Sync)?\(\s*['"`]([^'"`$]+)['"`]\s*,(?:\s*\[[^\][]*\]\s*,)?\s*$/,
};

/** What a bundler puts in the place of a name in what it builds. */
export const builtIn = (text: string): readonly CodeSetting[] => settingsAt(definedIn(text), text);

/** The texts that variables are set to, whatever sets them, in order. */
export function variablesSetIn(text: string): readonly CodeSetting[] {
  const found = settingsAt(matchesOf([schemaDefault, addedTo, assigned, ofProcess], text), text).concat(builtIn(text));
  // What stands in another one is read again; where a pattern looks like a bracket, each would lead through a whole bundle.
  let left = 4 * text.length;
  const constants = once(() => constantsOf(text));
  const openings = namesEnvironmentSetter.test(text) ? `${settingOpening.source}|${testOpening.source}` : settingOpening;
  for (const { index, 0: all } of text.matchAll(new RegExp(openings, 'g'))) {
    const from = index + all.length;
    const end = readSettings(text, from, from + left, found, /^(?:window|globalThis|self)/.test(all) ? namedByPage : named);
    found.push(...constantsIn(text, from, end, constants));
    left -= end - from;
    if (left <= 0) break;
  }
  return [...found, ...sharedIn(text, found, constants)].toSorted((one, other) => one.start - other.start);
}

/** What stands in objects that functions are given by their names. */
const sharedIn = (text: string, known: readonly CodeSetting[], constants: () => ReadonlyMap<string, Constant>): readonly CodeSetting[] =>
  environmentObjectsIn(text).flatMap(({ start, usedAt }) => {
    const inside: CodeSetting[] = [];
    const end = readSettings(text, start, text.length, inside, named);
    const settings = [...inside, ...constantsIn(text, start, end, constants)];
    return settings.filter((one) => known.every((other) => other.start !== one.start)).map((each) => ({ ...each, usedAt }));
  });

const matchesOf = (patterns: readonly RegExp[], text: string): RegExpExecArray[] =>
  patterns.flatMap((pattern) => [...text.matchAll(pattern)]);

/** From the brace on that a name is below: to look for that behind each name takes time with the square of a text without braces. */
function definedIn(text: string): RegExpExecArray[] {
  const below = Array.from(text.matchAll(ofDefined)).flatMap(({ index, 0: all, 1: names = '' }) => {
    const end = index + all.length;
    const found: RegExpExecArray[] = [];
    definedBelow.lastIndex = end - names.length;
    for (let next = definedBelow.exec(text); next !== null && next.index < end; next = definedBelow.exec(text)) found.push(next);
    return found;
  });
  return [...matchesOf([defined], text), ...below];
}

const settingsAt = (matches: readonly RegExpExecArray[], text: string): CodeSetting[] =>
  matches.flatMap(({ index, 0: all, 1: name = '', 3: value = '' }): CodeSetting[] => {
    const end = index + all.length - 1;
    const isSaid = /(?:^|\n)\s*(?:\/\/|\/?\*)[^\n]*$/.test(text.slice(Math.max(0, index - longestLine), index));
    return isSaid ? [] : [{ name, value, isWhole: true, start: end - value.length, end }];
  });

const longestLine = 200;

/** What stands before a text that a variable is set to, or has where nothing else sets it: `API_URL: process.env.API_URL || `. */
const named = /(?:^|[\s,{'"])([A-Z][A-Z\d_]*)['"]?\s*:\s*(?:process\.env\.\1\s*(?:\|\||\?\?)\s*)?$/;

/** A page calls its variables what it likes. */
const namedByPage = /(?:^|[\s,{'"])([A-Za-z_]\w*)['"]?\s*:\s*$/;

/** `API_URL,` and `API_URL: apiUrl` beside others. */
const byConstant = /(?<=[{,]\s*)([A-Z][A-Z\d_]*)(?:['"]?\s*:\s*([A-Za-z_$][\w$]*))?\s*(?=[,}])/g;

/** `const API_URL = 'https://…';` at the beginning of a line. */
const constant = /^const ([A-Za-z_$][\w$]*)(?:: string)? = (['"\x60])((?:(?!\2)[^\\$\n])*)\2;?$/gm;
/** What may be the name of one, and of no property. */
const word = /(?<![\w$.'"-])[A-Za-z_$][\w$]*/g;

interface Constant {
  readonly value: string;
  readonly start: number;
  uses: number;
}

/** The texts that constants have, with how often each is named, in two ways through the file for all of them. */
function constantsOf(text: string): ReadonlyMap<string, Constant> {
  const found = new Map(
    Array.from(text.matchAll(constant), ({ index, 0: all, 1: name = '', 3: value = '' }) => [
      name,
      { value, start: index + all.lastIndexOf(value), uses: 0 },
    ]),
  );
  for (const [name] of found.size === 0 ? [] : text.matchAll(word)) {
    const named = found.get(name);
    if (named !== undefined) named.uses++;
  }
  return found;
}

/** Variables that are set to a text which a constant of the same file has, for this alone. */
const constantsIn = (text: string, from: number, end: number, constants: () => ReadonlyMap<string, Constant>): CodeSetting[] =>
  Array.from(text.slice(from, end).matchAll(byConstant)).flatMap(({ index, 1: name = '', 2: of = name }): CodeSetting[] => {
    const { value, start, uses } = constants().get(of) ?? { value: '', start: 0, uses: 0 };
    // Where it is declared, and here.
    return uses === 2 ? [{ name, value, isWhole: true, start, end: start + value.length, usedAt: [from + index] }] : [];
  });

/**
 * Adds what the object is that begins at `from`, as far as `to`.
 * @returns where it ends
 */
function readSettings(text: string, from: number, to: number, settings: CodeSetting[], names: RegExp): number {
  token.lastIndex = from;
  let depth = 0;
  let before = '';
  for (let found = token.exec(text); found !== null && found.index < to; found = token.exec(text)) {
    const [all] = found;
    const end = found.index + all.length;
    if (/^[([{]$/.test(all)) depth++;
    if (/^[)\]}]$/.test(all) && --depth === 0) return end;
    if (/^\/[/*]/.test(all)) continue;
    const whole = found.groups?.['plain'];
    const value = whole ?? found.groups?.['parts'];
    const name = value === undefined ? undefined : names.exec(before)?.[1];
    const isAlone = name !== undefined && /^\s*(?:[,}]|\/\/|\/\*|$)/.test(text.slice(end, end + 200));
    if (depth === 1 && value !== undefined && isAlone)
      settings.push({ name, value, isWhole: whole !== undefined, start: found.index + 1, end: found.index + 1 + value.length });
    before = depth === 1 ? `${before.slice(-200)}${all}` : '';
  }
  return to;
}
