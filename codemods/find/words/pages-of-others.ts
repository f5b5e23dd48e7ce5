/** Pages that a test opens by their names, and that have scripts of another host alone, as a vendor's widget: no call of the project is made there. */
import { basename } from 'node:path/posix';
import type { Span } from '../../model.ts';
import { nestedIn } from '../packages/projects.ts';

/** `page.goto('/widget.html?key=1')` */
const opened = /([\w.-]+\.html?)(?:[?#][^'"`]*)?['"`]/g;
const elsewhere = /\bsrc\s*=\s*["']?(?:https?:)?\/\//i;

/** @returns the first script of such a page that a file names, for each file that names one */
export function pagesOfOthers(all: readonly string[], read: (file: string) => string): (file: string) => Span | undefined {
  const pages = all.filter((path) => /\.html?$/.test(path));
  const isNear = nestedIn(all.map((path) => ({ path })));
  return (file) => {
    const names = new Set(pages.length === 0 ? [] : Array.from(read(file).matchAll(opened), ([, name]) => name));
    for (const path of pages.filter((page) => names.has(basename(page)) && isNear(page, file))) {
      const scripts = [...read(path).matchAll(/<script\b[^>]*>/gi)];
      const [first] = scripts;
      if (first !== undefined && scripts.every(([tag]) => elsewhere.test(tag)))
        return { file: path, start: first.index, end: first.index + first[0].length };
    }
    return undefined;
  };
}
