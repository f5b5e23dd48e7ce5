/** The modules that a file names, by its text alone. Cheap and generous: a name too many is looked up and not found. */

// A comment may stand between: import(/* webpackChunkName: "x" */ './x').
// A `$` may begin a name, as in Svelte's $lib; with a brace after it, nothing is known.
const specifier =
  /\b(?:from|import|require(?:Actual)?|importActual|importFresh|proxyquire(?:\.\w+)?|esmock(?:\.\w+)?|rewire)\s*(?:<[^>()]*>\s*)?(?:\(\s*)?(?:\/\*[^*]*\*\/\s*)?(['"`])((?:[^'"`\n$]|\$(?!\{))+)\1/g;

/**
 * Module specifiers of `import`, `export … from`, `import()` and `require()`.
 * @param latin1 a script or component, its bytes read as Latin-1
 * @returns each once, as it is in UTF-8
 */
export function specifiersIn(latin1: string): string[] {
  const found = new Set<string>();
  for (const [, , name = ''] of latin1.matchAll(specifier)) found.add(name);
  // Copied, so that they do not keep the whole text alive.
  return [...found].map((name) => Buffer.from(name, 'latin1').toString('utf8'));
}
