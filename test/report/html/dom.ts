/** HTML as a parser reads it. */
import { DomUtils, parseDocument } from 'htmlparser2';

export type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

const isElement = (node: Element['children'][number]): node is Element => 'attribs' in node;

/** All elements of that name, or of any with `*`. */
export const elements = (within: string | Element, name: string): readonly Element[] =>
  DomUtils.getElementsByTagName(name, typeof within === 'string' ? parseDocument(within) : within);

/** The element with that id; throws without one. */
export function byId(page: string, id: string): Element {
  const found = DomUtils.getElementById(id, parseDocument(page));
  if (found === null) throw new Error(`There is no #${id}`);
  return found;
}

export const withClass = (within: string | Element, name: string): readonly Element[] =>
  elements(within, '*').filter(({ attribs }) => attribs['class']?.split(' ').includes(name));

/** What it says, with every tag a space. */
export const textOf = (element: Element): string =>
  element.children
    .map((child) => (child.type === 'text' ? DomUtils.textContent(child) : isElement(child) ? ` ${textOf(child)} ` : ''))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

/** The rows of a table, as what their cells say. */
export const cells = (page: string, table: string): readonly (readonly string[])[] =>
  elements(byId(page, table), 'tr')
    .slice(1)
    .map((row) => row.children.filter(isElement).map(textOf));

/** The same without what unfolds. */
export const rows = (page: string, table: string): readonly (readonly string[])[] => cells(page, table).filter(({ length }) => length > 1);
