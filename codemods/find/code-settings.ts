/**
 * Variables of the environment that code sets for programs which it starts or deploys: `env` in PM2's `ecosystem.config.js`, `environment` of a function
 * in the CDK, SST and Pulumi, and what a page has them in, `window.__ENV__`.
 */
const opening =
  /\b(?:(?:env(?:_\w+|ironment(?:Variables)?|Vars)?|variables)['"]?\s*:|(?:window|globalThis|self)\.(?:__ENV__|__env|_env_)\s*=)\s*(?=\{)/g;
/** A comment, a text without escapes or placeholders, another one, a bracket, or what stands between these. */
const token =
  /\/\/.*|\/\*[^]*?\*\/|(?<quote>['"`])(?<plain>(?:(?!\k<quote>)[^\\$\n])*)\k<quote>|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[([{]|[)\]}]|[^'"`/()[\]{}]+|\//gy;

export interface CodeSetting {
  readonly name: string;
  readonly value: string;
  /** Of the text, without its quotes. */
  readonly start: number;
  readonly end: number;
}

/** What tests set is followed with what they run, and says nothing of production. */
const ofTests =
  /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e)\/|[.-](?:test|spec|cy|e2e)\.|(?:^|\/)(?:playwright|vite|vitest|jest|cypress|wdio|nightwatch|testcafe|karma)[\w.-]*\.(?:config|conf|setup)\./;

/** The texts that variables are set to, in what is no test. */
export function codeSettingsIn(file: string, text: string): readonly CodeSetting[] {
  if (ofTests.test(file) || !opening.test(text)) return [];
  opening.lastIndex = 0;
  return Array.from(text.matchAll(opening)).flatMap(({ index, 0: all }) => [...settingsOf(text, index + all.length)]);
}

/** @param from where the object begins */
function* settingsOf(text: string, from: number): Generator<CodeSetting> {
  token.lastIndex = from;
  let depth = 0;
  let before = '';
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [all] = found;
    if (/^[([{]$/.test(all)) depth++;
    if (/^[)\]}]$/.test(all) && --depth === 0) return;
    if (/^\/[/*]/.test(all)) continue;
    const value = found.groups?.['plain'];
    const name = /(?:^|[\s,{'"])([A-Z][A-Z\d_]*)['"]?\s*:\s*$/.exec(before)?.[1];
    const isAlone = /^\s*(?:[,}]|\/\/|\/\*|$)/.test(text.slice(token.lastIndex, token.lastIndex + 200));
    if (depth === 1 && value !== undefined && name !== undefined && isAlone)
      yield { name, value, start: found.index + 1, end: found.index + 1 + value.length };
    before = depth === 1 ? `${before.slice(-200)}${all}` : '';
  }
}
