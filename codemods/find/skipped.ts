/** Folders that are not entered, and files that are somebody else's work or a program's: searched, reported, never edited. */

/** Folders that are never entered. */
export const skippedFolders: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', '.yarn']);

/** Folders whose files are build output or copies of other projects. */
const outputFolders: ReadonlySet<string> = new Set([
  'dist',
  'build',
  'out',
  'coverage',
  'vendor',
  'third_party',
  'bower_components',
  '__generated__',
  '.next',
  '.nuxt',
  '.output',
  '.svelte-kit',
  '.angular',
  '.turbo',
  '.vercel',
  '.wrangler',
  '.cache',
  '.parcel-cache',
]);

export type SkipReason = 'build output or vendored folder' | 'minified' | 'marked as generated' | 'written by a test runner';

/** Whether a folder of this name holds what is set aside. */
export const isSkippedFolder = (name: string): boolean => outputFolders.has(name);

/** Why a file of this name is set aside. */
export function skippedByName(name: string): SkipReason | undefined {
  if (name.endsWith('.snap')) return 'written by a test runner';
  return /[.-]min\.[cm]?js$/.test(name) ? 'minified' : undefined;
}

/** Generators say so in the first lines; in this letter case people hardly ever do. */
const mark = /@generated\b|\bDO NOT EDIT\b|\bCode generated\b/;

/** Lines of generated code that a person would not write: characters a line, in files worth minifying. */
const longLine = 1_000;
const worthMinifying = 10_000;

/**
 * Why a file is set aside for what it holds.
 * @param text the file
 * @param isCode whether very long lines speak for a machine; in data they do not
 */
export function skippedByText(text: string, isCode: boolean): SkipReason | undefined {
  const head = text.slice(0, 2_000).split('\n', 6).join('\n');
  if (mark.test(head)) return 'marked as generated';
  if (!isCode || text.length < worthMinifying) return undefined;
  return text.length / text.split('\n').length > longLine ? 'minified' : undefined;
}
