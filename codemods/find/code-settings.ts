/**
 * Variables of the environment that code sets for programs which it starts or deploys: `env` in PM2's `ecosystem.config.js` and in `next.config.js`, `environment` of a function
 * in the CDK, SST and Pulumi, `bindings` of Miniflare, `Object.assign(process.env, { … })`, and what a page has them in, `window.__ENV__`.
 */
export const settingOpening =
  /\b(?:(?:env(?:_\w+|ironment(?:Variables)?|Vars)?|variables|bindings)['"]?\s*:|(?:window|globalThis|self)\.(?:__ENV__|__env|_env_)\s*=|process\.env,)\s*(?=\{)/;
/** `const environment = { … }` of several functions, in what deploys them; who imports it, or reads one of them there, may do anything with it. */
const shared = /(?<!\bexport\s)\bconst\s+(\w+)\s*(?::[^={}\n]{0,99})?=\s*(?=\{)/g;
const deploys = /['"](?:aws-cdk-lib|@aws-cdk|@pulumi|sst)\b|\$config\(/;
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
}

/** `API_URL: envField.string({ context: 'server', default: 'https://…' })` in Astro's configuration. */
const schemaDefault = /\b([A-Z][A-Z\d_]*)['"]?\s*:\s*envField\.\w+\(\s*\{[^{}]*?\bdefault\s*:\s*(['"`])((?:(?!\2)[^\\$\n])*)\2/g;

/** What tests set is followed with what they run, and says nothing of production. */
const ofTests =
  /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e)\/|[.-](?:test|spec|cy|e2e)\.|(?:^|\/)(?:playwright|vite|vitest|jest|cypress|wdio|nightwatch|testcafe|karma)[\w.-]*\.(?:config|conf|setup)\./;

/** The texts that variables are set to, in what is no test. */
export const codeSettingsIn = (file: string, text: string): readonly CodeSetting[] =>
  ofTests.test(file) ? [] : variablesSetIn(text).filter(({ isWhole }) => isWhole);

/** The same, whatever sets them. */
export function variablesSetIn(text: string): readonly CodeSetting[] {
  const found: CodeSetting[] = [];
  // What stands in another one is read again; where a pattern looks like a bracket, each would lead through a whole bundle.
  let left = 4 * text.length;
  for (const from of openingsIn(text)) {
    left -= readSettings(text, from, from + left, found) - from;
    if (left <= 0) break;
  }
  return found;
}

function defaultsIn(text: string): CodeSetting[] {
  return [...text.matchAll(schemaDefault)].flatMap(({ index, 0: all, 1: name = '', 3: value = '' }): CodeSetting[] => {
    const end = index + all.length - 1;
    const isSaid = /(?:^|\n)\s*(?:\/\/|\/?\*)[^\n]*$/.test(text.slice(Math.max(0, index - longestLine), index));
    return isSaid ? [] : [{ name, value, isWhole: true, start: end - value.length, end }];
  });
}

const longestLine = 200;

function openingsIn(text: string): number[] {
  const openings = [...text.matchAll(new RegExp(settingOpening, 'g'))];
  const given = deploys.test(text) ? Array.from(text.matchAll(handedOn), ([, name = '', itself = name]) => itself) : [];
  const read = new Set(given.length === 0 ? [] : Array.from(text.matchAll(/\b(\w+)\s*(?:\?\.|\.(?!\.)|\[)/g), ([, name]) => name));
  const names = new Set(given.filter((name) => !read.has(name)));
  const named = names.size === 0 ? [] : Array.from(text.matchAll(shared)).filter(([, name = '']) => names.has(name));
  return [...openings, ...named].map(({ index, 0: all }) => index + all.length);
}

/** `{ environment: shared }`, `{ environment: { ...shared } }`, `{ environment }`. */
const handedOn = /\benvironment(?:Variables)?\s*:\s*(?:\{\s*\.\.\.)?(\w+)\s*[,}]|[{,]\s*(environment)\s*[,}]/g;

/** What stands before a text that a variable is set to, or has where nothing else sets it: `API_URL: process.env.API_URL || `, `API_URL: props.apiUrl ?? `. */
const named = /(?:^|[\s,{'"])([A-Z][A-Z\d_]*)['"]?\s*:\s*(?:[\w.?!]+\s*(?:\|\||\?\?)\s*)?$/;

/**
 * Adds what the object is that begins at `from`, as far as `to`.
 * @returns where it ends
 */
function readSettings(text: string, from: number, to: number, settings: CodeSetting[]): number {
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
    const name = value === undefined ? undefined : named.exec(before)?.[1];
    const isAlone = name !== undefined && /^\s*(?:[,}]|\/\/|\/\*|$)/.test(text.slice(end, end + 200));
    if (depth === 1 && value !== undefined && isAlone)
      settings.push({ name, value, isWhole: whole !== undefined, start: found.index + 1, end: found.index + 1 + value.length });
    before = depth === 1 ? `${before.slice(-200)}${all}` : '';
  }
  return to;
}
