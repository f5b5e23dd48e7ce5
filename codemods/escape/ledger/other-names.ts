/** Names in documents of whoever else may be asked by such routes: a passage that does not say whose its routes are may be about any of them. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { escaped } from '../../find/words/literals.ts';
import type { TextRange } from '../../formats/text.ts';
import { type Bases, matchUrl, routeHeads } from '../../verdict/bases/routes.ts';
import { linkedNames } from './service-names.ts';
import { plainWords } from './words.ts';

/** Who answers no such routes, as everybody knows. */
const known: ReadonlySet<string> = new Set(
  [
    'javascript typescript node nodejs deno bun react vue angular svelte solid remix astro next nuxt nest nestjs express fastify hono koa adonis',
    'vite vitest jest mocha playwright cypress docker kubernetes postgres postgresql mysql sqlite redis mongodb prisma drizzle zod axios graphql',
    'openapi swagger cursor windsurf linux windows macos chrome firefox safari edge git github gitlab markdown readme eslint prettier tailwind apollo',
    'monday tuesday wednesday thursday friday saturday sunday i ok english bearer',
  ].flatMap((each) => each.split(' ')),
);

/** What sentences and cells have besides, at their beginning or written as if they had one. */
const ofBeginnings: ReadonlySet<string> = new Set(
  [
    'who whose where why how what which there here nothing nobody nowhere none everything everybody everyone each one all some any another others it this that he she they',
    'note notes tip warning important new old inbound webhook trigger triggers action actions command commands tool tools feature features function functions',
    'screen screens page pages query queries mutation mutations button buttons event events hook hooks operation operations task tasks structure project',
    'slash test tests testing build run running install start scripts files limits errors license troubleshooting routes resources network external internal quick',
    'settings read write requirements prerequisites answers response responses returns available supported variables delivery pagination sending receiving sync polling uses used calls asked asks behind works work do does may they them',
  ].flatMap((each) => each.split(' ')),
);

/** A word in the middle of a sentence: `kept at Mailwind`, `for the Mailwind list`; whatever has capitals within, `HubMail`; who does or has
 * something; what links to a site; what stands alone in front of a colon. */
const names = new RegExp(
  `(?=[A-Z])(?:${[
    String.raw`(?<=(?<![\w.@/-])(?:[a-z][\w'’-]*|A|An|The|Our|In|At|By|With|From|For|To|On|Via|And)[,;)*_]*(?:[ \t]+|[ \t]*\n[ \t]*)[("'*_[]*)[A-Z][a-z]+[\w-]*`,
    String.raw`(?<![\w.@/-])[A-Z][a-z]+[A-Z]\w*`,
    String.raw`(?<![\w.@/-])[A-Z][a-z]+(?=['’]s\b|[*_]*\s+(?:is|has|does|keeps|holds|stores|sends|answers|asks|takes|needs|gets|gives|lists|manages|handles|owns|offers|provides|syncs|uses|and [A-Z])\b)`,
    String.raw`(?<=\[)[A-Z][a-z]+[\w-]*(?=\]\()`,
    String.raw`(?<=^[ \t]*[*_]*)[A-Z][a-z]+[\w-]*(?=[*_]*:[*_]*[ \t]*$)`,
  ].join('|')})`,
  'gm',
);

/** Code, addresses, what only a browser reads, and programs that coding agents run in. */
const silent =
  /\bClaude (?:Desktop|Code)\b|\bVS Code\b|`[^`\n]*`|\](?:\((?!https?:)[^()\s]*\))|(?<=\]\()[^()\s]*\)|\bhttps?:[^\s)>\]]+|<[^<>\n]*>/g;
const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ');

/**
 * @param text a document, without what the service is called
 * @param own words of what the document is about
 * @returns where it names somebody
 */
function otherNamesIn(text: string, own: ReadonlySet<string>): number[] {
  return Array.from(text.replaceAll(silent, blank).matchAll(names), ({ index, 0: name }) =>
    isKnown(name) || own.has(name.toLowerCase()) ? [] : index,
  ).flat();
}

/** Whether a heading may be the name of somebody. */
export const isNameOfOther = (heading: string): boolean =>
  Array.from(heading.replaceAll(silent, blank).matchAll(/(?<![\w.@/-])[A-Z][a-z]+[\w-]*/g)).some(([word]) => !isKnown(word));

/** Whether it is what programs are made with. */
export const isTool = (word: string): boolean => known.has(word.toLowerCase());

const isKnown = (word: string): boolean => plainWords(word, known) || plainWords(word, ofBeginnings);

/** What says in its first line which program it is about. */
export const isOfProgram = /(?:^|\/)(?:readme\b[^/]*|(?:claude|agents?|gemini|contributing)\.md)$/i;

/** Tells whether somebody else is named between two places of a document; what the program is called, its title says. */
export function namedIn({ file, text }: SourceText, isProse: (place: TextRange) => boolean, withoutNames: (said: string) => string) {
  const title = isOfProgram.test(file) ? (/^#\s.*$/m.exec(text)?.[0] ?? '') : '';
  const own = new Set(title.toLowerCase().match(/[a-z][\w-]*/g));
  // What is taken out leaves the places of what stands behind it.
  const kept = text.replaceAll(/[^\n]+/g, (line) => {
    const rest = withoutNames(line);
    return rest === line ? line : rest.padEnd(line.length).slice(0, line.length);
  });
  const places = otherNamesIn(kept, own).filter((start) => isProse({ start, end: start + 1 }));
  return (start: number, end: number): boolean => places.some((place) => start <= place && place < end);
}

/**
 * Addresses of other versions may be what a table is about.
 * @returns whether a document has an address of the service or a link to its site and, up to a place, none of a version of another one; what the program itself
 *   answers, and the service does not, is none
 */
export function ofOneUpTo(text: string, bases: Bases): (end: number) => boolean {
  const addresses = Array.from(text.matchAll(versioned), ({ index, 0: address, groups = {} }) => ({
    index,
    kind: ownRoute.test(address) ? 'own' : matchUrl(groups['versioned'] ?? '', bases).kind,
  }));
  const isBaseNamed = bases.v1.some((base) => new RegExp(String.raw`${escaped(base)}(?![\w.-])`).test(text));
  const isNamed = isBaseNamed || addresses.some(({ kind }) => kind === 'ours') || linkedNames(bases, text).length > 0;
  const others = addresses.find(({ kind }) => kind !== 'ours' && kind !== 'own')?.index ?? text.length;
  return (end) => isNamed && end <= others;
}

const versioned = /(?<versioned>https?:\/\/[^\s"'`<>()|]*\/v\d)[^\s"'`<>()|]*/gi;
const ownRoute = new RegExp(
  String.raw`^https?://(?:localhost|127\.0\.0\.1)(?::\d+)?/v1/(?!(?:${routeHeads.map((head) => head.slice('/v1/'.length)).join('|')})\b)\w`,
);
