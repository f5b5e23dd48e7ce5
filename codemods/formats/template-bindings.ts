/**
 * What templates hand to elements and other components: `:headers="client.headers"`, `headers={headers}`, `[nzHeaders]="headers"`. Each name, with the members that
 * are taken of it, as it stands in an attribute's code; what only decides or is shown is nobody's.
 */
import type { TextRange } from './text.ts';

export interface TemplateBinding extends TextRange {
  /** `['client', 'headers']` */
  readonly path: readonly [string, ...string[]];
  /** Whether what a call of it gives is handed on: `:headers="headers()"`. */
  readonly isCalled: boolean;
}

/** @param text with nothing but the template in it */
export const templateBindings = (text: string, kind: 'vue' | 'svelte' | 'astro' | 'angular'): TemplateBinding[] =>
  (kind === 'svelte' || kind === 'astro'
    ? [...text.matchAll(inBraces)]
    : kind === 'vue'
      ? [...text.matchAll(ofVue), ...text.matchAll(byName)]
      : [...text.matchAll(ofAngular)]
  ).flatMap(({ groups: { before = '', code = '' } = {}, index }) => pathsIn(code, index + before.length));

/** What an element is told apart by, and how it looks, stays with it. */
const ofVue = new RegExp(
  String.raw`(?<before>(?<=\s)(?:v-bind)?(?::(?!(?:key|class|style|ref|is)=)[\w.:[\]-]+|(?<=v-bind))=["'])(?<code>(?<=")[^"]*|(?<=')[^']*)`,
  'g',
);
/** `<el-upload :headers />`, which is `:headers="headers"` since Vue 3.4. */
const byName = /(?<before>(?<=\s)(?:v-bind)?:)(?<code>(?!(?:key|class|style|ref|is)[\s/>])[A-Za-z_$][\w$]*)(?=[\s/>])/g;
const ofAngular = /(?<before>(?<=\s)\[(?!(?:class|style|attr)[\].])[\w.-]+\]=["'])(?<code>(?<=")[^"]*|(?<=')[^']*)/g;
/** An attribute's, with braces in it at most once, and none that is called `on…`. */
const inBraces = /(?<before>(?<=\s)(?:(?!on)[\w:|-]+=)?\{(?:\.\.\.)?)(?<code>(?:[^{}<>]|\{[^{}<>]*\})*)(?=\})/g;

const path = /(?<![\w$.])[A-Za-z_$][\w$]*(?:\s*\??\.\s*[A-Za-z_$][\w$]*)*/g;
const noName = /^(?:true|false|null|undefined|this|typeof|new|in|of|instanceof|await|async|function|return)$/;

/** @param at where the code begins in its file */
export function pathsIn(code: string, at: number): TemplateBinding[] {
  // What stands in quotes is a text.
  const bare = code.replaceAll(/'[^']*'|"[^"]*"/g, (text) => ' '.repeat(text.length));
  return [...bare.matchAll(path)].flatMap(({ 0: found, index }): TemplateBinding[] => {
    const [first = '', ...members] = found.split(/\s*\??\.\s*/);
    const next = bare.slice(index + found.length).trimStart();
    // The name of a property.
    const isKey = next.startsWith(':') && /[{,]\s*$/.test(bare.slice(0, index));
    if (isKey || noName.test(first) || next.startsWith('=>')) return [];
    return [{ path: [first, ...members], isCalled: next.startsWith('('), start: at + index, end: at + index + found.length }];
  });
}
