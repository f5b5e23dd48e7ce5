/** Documents that are pages of a program, too: what of them runs with the page, by their text alone. */

/**
 * The text that may hold imports of a page of VitePress, VuePress, Slidev or mdsvex, which has scripts, or of MDX, which imports and exports
 * between its paragraphs.
 * @returns undefined where a document only shows code
 */
export function pageCode(path: string, text: string): string | undefined {
  if (isMdx(path, text)) {
    if (!esm.test(text)) return undefined;
    const shown = withoutFences(text);
    return esm.test(shown) ? shown : undefined;
  }
  if (!text.includes('<script')) return undefined;
  const scripts = scriptsIn(withoutFences(text));
  return scripts.length === 0 ? undefined : scripts.join('\n');
}

/** MDX, by its name or, as Docusaurus reads all documents as that, by what it imports of the program. */
export const isMdx = (path: string, text: string): boolean =>
  path.toLowerCase().endsWith('.mdx') || (/\.md$/i.test(path) && importsCode.test(text) && importsCode.test(withoutFences(text)));

/** Behind a blank line or the front matter: a line within a paragraph is text. */
const importsCode =
  /(?:^|\n[ \t]*\r?\n|\n---[ \t]*\r?\n)import\s[^;'"\n]{0,300}['"](?:\.{1,2}\/|@site\/|@theme\/|@docusaurus\/|[@~]\/)[^'"\n]+['"];?[ \t]*\r?(?:\n|$)/;
const esm = /^(?:import|export)\s/m;
const script = /^ {0,3}<script\b[^>]{0,1000}>/gm;

function scriptsIn(text: string): string[] {
  const found: string[] = [];
  const closing = '</script>';
  const last = text.lastIndexOf(closing);
  let behind = 0;
  for (const { index, 0: tag } of text.matchAll(script)) {
    const start = index + tag.length;
    if (start > last) break;
    if (index < behind) continue;
    behind = text.indexOf(closing, start);
    found.push(text.slice(start, behind));
  }
  return found;
}

/** Without its code blocks, which are for the reader. */
function withoutFences(text: string): string {
  const kept: string[] = [];
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const [, marks] = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/.exec(line) ?? [];
    if (open === undefined && marks !== undefined) open = marks;
    else if (open !== undefined && marks?.startsWith(open) === true) open = undefined;
    else if (open === undefined) kept.push(line);
  }
  return kept.join('\n');
}
