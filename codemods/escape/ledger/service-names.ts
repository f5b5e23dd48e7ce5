/** By which names people call the service: by that of its host, with or without what kind of thing it is, and by one that a document gives with an address of ours or a link to its site. */
import { escaped } from '../../find/words/literals.ts';
import type { TextRange } from '../../formats/text.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { isDoubtful, isOfAnotherProgram } from './doubts.ts';
import { ofSentences, plainWords } from './words.ts';

/** Whoever has the service's name before this is a program of its maker, which may ask another version: `the Parlo app`. */
const programs =
  'apps?|applications?|dashboards?|backends?|frontends?|sdks?|cli|librar(?:y|ies)|packages?|modules?|wrappers?|jobs?|scripts?|services?|servers?|integrations?|clients?|commands?|programs?|code|plugins?|extensions?|bots?';

/** Names that are no names: of examples, and of a company's own network. */
const saysNothing = /^(?:example|test|invalid|local(?:host)?|internal|corp|cloud|staging|production)$/i;

/** `the Parlo API endpoint`, up to the address. */
const beforeAddress = String.raw`([A-Z][A-Za-z\d]+) API(?:['’]s)?(?: (?:endpoint|base URL|URL))?(?: at)?[\s(:\x60]{1,4}(?:(?:GET|POST|PUT) )?`;

/** `the key from the Parlo dashboard`, which asks nobody there. */
const atDashboard = String.raw`(?<=\b(?:from|in|at|on)\s(?:the|your)\s)(?=\S+\s+dashboard\b)`;

/**
 * @param text a document that may give such a name
 * @returns a text without them, so that the rest of its words can be looked at
 */
export function namesOfService(bases: Pick<Bases, 'v1'>, text: string): (said: string) => string {
  const name = nameIn(bases, text);
  if (name === undefined) return (said) => said;
  const named = new RegExp(String.raw`${atDashboard}${name}|(?<![\w.@/-])${name}${isNoProgram}`, 'gi');
  return (said) => said.replaceAll(named, ' ');
}

/**
 * @param text as above
 * @returns whether a text says of a place in it that it is the service's: `Parlo's GET /v1/contacts`, `GET /v1/contacts of Parlo`. What comes from the service, or
 *   goes on to it, may be asked of somebody else
 */
export function tiesToService(bases: Pick<Bases, 'v1'>, text: string): (said: string, place: TextRange) => boolean {
  const name = nameIn(bases, text);
  if (name === undefined) return () => false;
  const before = new RegExp(
    String.raw`(?<![\w.@/-]|\b(?:from|by|for)\s+(?:the\s+)?)${name}${isNoProgram}(?:\s+(?:API|REST|HTTP|endpoint|route))*[*_]*(?:\s*[(:–—-])?\s*(?:(?:direct\s+)?(?:calls?|requests?)\s+to\s+)?[(*\x60]*$`,
    'i',
  );
  const behind = new RegExp(String.raw`^[)*\x60]*\s+(?:endpoint\s+|route\s+)?(?:of|at|on)\s+(?:the\s+)?${name}${isNoProgram}`, 'i');
  return (said, { start, end }) =>
    before.test(said.slice(Math.max(0, start - maxTie), start)) || behind.test(said.slice(end, end + maxTie));
}

/** In characters, with the name. */
const maxTie = 120;

const isNoProgram = String.raw`(?!\s+(?:${programs})\b)`;

/** A pattern of what the service is called, if that is known. */
function nameIn({ v1 }: Pick<Bases, 'v1'>, text: string): string | undefined {
  const given = new RegExp(`${beforeAddress}(?=(?:${v1.map(escaped).join('|')})/v1\\b)`, 'g');
  const names = [
    ...v1.map(nameOf).flatMap((name) => [name, withoutKind(name)]),
    ...Array.from(v1.length === 0 ? [] : text.matchAll(given), ([, name = '']) => name),
    ...linkedNames({ v1 }, text),
  ];
  const known = [...new Set(names.map((name) => name.toLowerCase()))].filter(isName);
  return known.length === 0 ? undefined : String.raw`(?:${known.map(escaped).join('|')})(?:['’]s|(?!['’]s))(?![\w@/-]|\.\w)`;
}

/** `[Parlo](https://parlo.app)` beside a base of `https://api.parlo.app`: names that link to its site. */
export function linkedNames({ v1 }: Pick<Bases, 'v1'>, text: string): string[] {
  const sites = v1.flatMap((base) => /^api\.(.+\..+)$/.exec(URL.parse(base)?.host ?? '')?.[1] ?? []);
  if (sites.length === 0) return [];
  const linked = new RegExp(String.raw`\[([A-Z][A-Za-z\d]+)\]\(https?://(?:www\.)?(?:${sites.map(escaped).join('|')})(?=[/)])`, 'g');
  return Array.from(text.matchAll(linked), ([, name = '']) => name).filter((name) => isName(name) && !page.test(name));
}

/** What is linked to by what it is. */
const page = new RegExp(
  `^(?:${programs}|docs|documentation|website|homepage|here|guide|reference|status|console|portal|blog|pricing|support)$`,
  'i',
);

const isName = (name: string): boolean => name.length >= 4 && !saysNothing.test(name) && !isDoubtful(name) && !isOfAnotherProgram(name);

/** `parlo` of `parloapp` and of `parlo-messaging`, unless it is a word of its own. */
function withoutKind(name: string): string {
  const [, stem = ''] = /^(\w{5,}?)(?:-?(?:app|api|crm|hq)|-messaging)$/.exec(name) ?? [];
  return plainWords(stem, ofSentences) ? '' : stem;
}

/** `parlo` of `https://api.parlo.app`, or nothing. */
function nameOf(base: string): string {
  const parts = URL.parse(base)?.hostname.split('.') ?? [];
  const own = parts.slice(0, -1).findLast((part) => part.length >= 4) ?? '';
  return parts.length < 2 || /^\d/.test(parts.at(-1) ?? '') ? '' : own;
}
