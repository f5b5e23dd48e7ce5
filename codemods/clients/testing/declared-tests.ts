/** The names by which frameworks of tests declare tests, what holds these and what runs around them: each stands here once, whoever looks for it. */

/** What nearly all of them have. The other names mean something else in many programs (`context(…)`), so a text that may be no test's is asked for these alone. */
export const common: readonly string[] = ['it', 'test', 'describe'];

/** A test itself. */
export const cases: ReadonlySet<string> = new Set(['it', 'test', 'specify']);

/** What is given a title, which people read and nobody is asked by. */
export const titled: ReadonlySet<string> = new Set([...common, ...cases, 'suite', 'context', 'bench']);

/** What runs before and after. */
export const hooks: readonly string[] = ['before', 'after'].flatMap((when) => ['', 'Each', 'All'].map((of) => `${when}${of}`));

/** How often a test runs, and whether: `it.only`. */
export const modifiers: ReadonlySet<string> = new Set(['concurrent', 'sequential', 'only', 'skip', 'todo', 'fails', 'failing']);

/** What runs one for each row of a table: `test.each(rows)`. */
export const tables: ReadonlySet<string> = new Set(['each', 'for']);

/** Any of some names, in a regular expression. */
export const anyOf = (names: Iterable<string>): string => `(?:${[...names].join('|')})`;

/** Where the title of one may begin, in a regular expression: `it.only(`. */
export const openingOfTitle = String.raw`(?<![\w$.])${anyOf(titled)}(?:\.\w+)*\(\s*`;

/** Whether a runner runs it itself, by its text: a helper of tests has none of its own. */
export const runsTests = (text: string): boolean => opening.test(text);
const opening = new RegExp(String.raw`^[ \t]*${anyOf(common)}(?:\.\w+)*\(`, 'm');
