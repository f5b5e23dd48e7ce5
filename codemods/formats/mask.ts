/** Part of a file as a file of its own, with every offset where it was. */
import type { Place } from './text.ts';

/** The text with everything outside the place blank, but for line ends. */
export function mask(source: string, { start, end, code }: Place & { readonly code: string }): string {
  return blank(source.slice(0, start)) + code + blank(source.slice(end));
}

export function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ');
}
