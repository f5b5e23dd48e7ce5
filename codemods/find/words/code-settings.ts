/** Code that sets variables, and what a page has in their place; how tools are told of them stands in `clients/settings/deployed-variables.ts`. */

/** What a page has its variables in, by what it is called at its end: `__ENV__`, `_env_`, `appConfig`, `RUNTIME_SETTINGS`. */
export const ofPageNamed = String.raw`[A-Za-z_]*?(?:[Ee]nv(?:ironment)?|ENV|[Cc]onfig|CONFIG|[Ss]ettings|SETTINGS)_{0,2}(?![\w$])`;
/** In older code `self` is what `this` was around a function. */
export const ofPage = String.raw`\b(?:(?:window|globalThis)\.${ofPageNamed}|self\.(?:__ENV__|__env|_env_)(?![\w$]))`;
/** `process.env.API_URL = 'https://…'`, `process.env.API_URL ??= 'https://…'`, to a host that somebody may have. */
export const ofProcess = new RegExp(
  [
    String.raw`\bprocess\.env(?:\.|\[['"\x60])([A-Z][A-Z\d_]*)(?:['"\x60]\])?\s*(?:\?\?|\|\|)?=\s*(?:process\.env\.\1\s*(?:\?\?|\|\|)\s*)?`,
    String.raw`(['"\x60])(https?://(?![\w.-]*\.(?:test|invalid|example|localhost)(?![\w.-]))(?:(?!\2)[^\\$\n])*)\2(?=[^\S\n]*(?:[;,)}\n]|$))`,
  ].join(''),
  'g',
);
/** What a page has in the place of an environment, and a file sets that is written where it is deployed, or a program for all that it loads then. */
export const setsVariables = new RegExp(
  String.raw`${ofPage}(?:\.\w+|\s*\|\|\s*\{\s*\})?\s*[,=]\s*['"\x60{]|\bprocess\.env\s*[,=]\s*\{|(?:${ofProcess.source})`,
);
