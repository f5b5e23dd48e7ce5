/** Keys that stand in the code as literals: no output may show them. */
import { v1Auth, v2Auth } from '../../src/contract/auth.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import type { Finding, Plan } from '../model.ts';
import type { Places } from './places.ts';

/** What stands in place of a key. */
export const blot = '***';

/** Shorter texts are no keys, as tests have them (`'ab_1'`), and are found everywhere. */
const shortest = 6;

const quoted = /(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs;

/** A text in the quotes that the group `quote` begins. No key is longer, and a quote that nothing ends shall not cost much. */
const text = String.raw`(?<quote>["'\`])(?<key>(?:\\.|(?!\k<quote>)[^\\]){0,512})\k<quote>`;
const nameOfSecret = String.raw`(?:api[-_]?key|secret|token|passw(?:or)?d)[\w-]*`;

/** Ways in which keys, tokens and passwords are written; the group `key` is the secret. */
const forms: readonly RegExp[] = [
  // A field of a raw head: curl, .http files, prose.
  new RegExp(String.raw`${v1Auth.field}\s*[:=]\s*(?<key>(?!\\+\$)[^\s"'\`$<{][^\s"'\`]*)`, 'gi'),
  // The header's name in quotes, then a text: objects, tuples, set('x-api-key', '…'), `"key": "x-api-key", "value": "…"`.
  new RegExp(String.raw`${v1Auth.field}["'\`]\]?\s*[:,=]\s*(?:["']?value["']?\s*:\s*)?${text}(?!\s*:)`, 'gis'),
  // With a digit: words of prose have none.
  new RegExp(String.raw`\b${v2Auth.scheme}\s+(?<key>(?=[^\s\d]*\d)[A-Za-z0-9._~+/=-]+)`, 'gi'),
  new RegExp(String.raw`${nameOfSecret}["'\`]?\]?\s*[:=]\s*${text}`, 'gis'),
  // Other names of keys, and none: the value alone looks like one.
  /key["'`]?\]?\s*[:=]\s*["'`](?<key>(?=[^\s"'`]*\d)[\w.~+/=-]{16,})["'`]/gi,
  /\b(?<key>[aprs]k_\w{8,})/g,
  // Given to a client when it is made, where the proof did not come by.
  /(?:\bnew\s+[\w$.]{1,99}|\b[\w$]{0,30}(?:client|connect|init|auth|login|setup|configure)[\w$]{0,30})\s*\((?:[^()]{0,199},)?\s*["'`](?<key>(?=[^"'`]*\d)(?=[^"'`]*[a-z])[\w~+=-]{16,})["'`]/gi,
  // `MSG_KEY=…` and `key: …` of files without quotes; a digit tells it from a word.
  /^[+ -]?\s*(?:export\s+|-\s+)?[\w.-]*key\s*(?:=|:\s)\s*(?<key>(?=\S*\d)[^\s"'`$<{#]{8,})\s*$/gim,
  // Passwords in URLs.
  /\/\/[^\s/@:]*:(?<key>[^\s/@]+)@/g,
  // In .env, YAML and TOML a text needs no quotes.
  new RegExp(String.raw`^[+ -]?\s*(?:export\s+)?[\w.-]*${nameOfSecret}\s*(?:=|:\s)\s*(?<key>[^\s"'\`$<{#][^\s"'\`;,()]*)\s*$`, 'gim'),
];

/** Names of headers, of where a key is put, of variables, programs, encodings and media types, and paths of the service, are no secrets. */
const harmless = new RegExp(
  `^(?:${v1Auth.field}|${v2Auth.field}|${v2Auth.scheme}|header|headers|cookie|query|custom|curl|wget|utf-?8|undefined|null|true|false)$|^(?:process|import|env|config)\\b|^(?:application|audio|font|image|multipart|text|video)/[\\w.+-]+(?:;|$)|^/v[12](?:/:?[a-z][a-z-]{0,20}){0,3}$`,
  'i',
);

/** What a reader, or a tool, is to put a key in the place of: `{{key}}`, `=Bearer {{key}}`, `<key>`, `${ssm:/path}`, `%KEY%`, `\$KEY`, `op://vault/item`. */
const placeholder =
  /^(?:=?(?:[a-z]+ )?\{\{[^{}]*\}\}|<[^<>]*>|\$\{[^{}]*\}|\$\([^()]*\)|%\w+%|\\+\$\w+|[x*.…-]+|your[-_ ](?:[a-z]+[-_ ])*(?:key|token|secret))$/i;

/** Code from the end of one text to the next, `'x-api-key: ' + key, 'https://…'`: one name and nothing that may hold a key. */
const between = /^(?:\s*\+\s+|\.concat\(\s*)[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\s*(?:\s\+|[,)\]])[\s\],){]*(?:[\w$]+:)?\s*$/;

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const said = wordsOf('test tests testing fake mock mocked dummy example sample demo stub changeme placeholder redacted replace');
const beside = wordsOf('me my your the some a an for in of local dev unit api x key keys token secret value client user old new live v');
/** What a key is called is none: services make theirs of more than words. */
const called = wordsOf('key keys apikey token secret');

/** Words of small letters, as long as words are, with two digits at most: `acme-key`, `ak_e2e`, `acme_test_key_1`. */
const inWords = /^(?!(?:\D*\d){3}|.*(?:live|prod))(?=.{1,24}$)[a-z]{1,10}(?:[-_. ][a-z\d]{1,10})+$/;
/** Whose key it is, in a test. */
const saidInTests = wordsOf('key keys e2e dev ci local spec unit');

/** What tests and examples write for a key, `test-key`, `fake_api_key_2`, `ak_test_1234`: nothing but words, one of which says so, or what it is called. */
function isOfTest(text: string, isInTest: boolean): boolean {
  const words = text
    .replace(/^[aprs]k[-_]/, '')
    .split(/[-_. ]?\d{0,4}(?:[-_. ]|$|(?<=[a-z])(?=[A-Z]))/)
    .flatMap((word) => (word === '' ? [] : word.toLowerCase()));
  // `test-acme-key`: a test has the name of what it tests among the words.
  if (isInTest && inWords.test(text) && words.some((word) => said.has(word) || saidInTests.has(word))) return true;
  const isSaid = words.some((word) => said.has(word)) || (!/\d/.test(text) && words.some((word) => called.has(word)));
  return isSaid && words.every((word) => said.has(word) || beside.has(word) || called.has(word));
}

/** What stands before a key that is put in behind it: `curl -H x-api-key:` of a template. */
const named = new RegExp(String.raw`(?:${v1Auth.field}|${v2Auth.field})\s*[:=]\s*(?:${v2Auth.scheme}\s+)?["']?$`, 'i');

const isKey = (text: string | undefined, isInTest: boolean): text is string =>
  text !== undefined &&
  text.length >= shortest &&
  !named.test(text) &&
  !text.includes('://') &&
  !harmless.test(text) &&
  !between.test(text) &&
  !placeholder.test(text) &&
  !isOfTest(text, isInTest);

/** What keys are asked for by: `MESSAGING_API_KEY`, `messaging/api-key`. No digits: a key may hold the words of a name, too. */
const namesOfKeys: readonly RegExp[] = [/^[A-Z]+(?:_[A-Z]+)+$/, /^[a-z._/:-]{0,60}(?:key|token|secret)$/i];
const isAskedFor = (before: string, inner: string): boolean => /[\w>]\(\s*$/.test(before) && namesOfKeys.some((name) => name.test(inner));

const withoutScheme = (text: string): string => text.replace(new RegExp(`^${v2Auth.scheme}\\s+`, 'i'), '');

/** `Basic `, `Token `, or whatever a service calls its own. */
const withoutAnyScheme = (text: string): string => text.replace(/^[A-Za-z][A-Za-z-]*\s+/, '');

/** The literals within a text, without what a template fills in and without names: of properties (`{ 'Accept': … }`), of members (`env['NAME']`), of what is asked for (`env('NAME')`). */
const literals = (text: string): string[] =>
  [...text.matchAll(quoted)].flatMap(({ index, 0: whole, 1: quote, 2: inner = '' }) => {
    const before = text.slice(Math.max(0, index - 40), index);
    if (/[{,]\s*$/.test(before) && /^\s*:/.test(text.slice(index + whole.length, index + whole.length + 40))) return [];
    if (/[\w)\]]\[$/.test(before) || isAskedFor(before, inner)) return [];
    return quote === '`' ? writtenIn(inner) : [inner];
  });

/** What stands in a template. Where its key is put in, the rest of the command or of the head is none: what is written of the key begins where that ends. */
function writtenIn(template: string): string[] {
  const pieces = template.split(/\$\{[^}]*\}/);
  const behind = pieces.filter((_, index) => named.test(pieces[index - 1] ?? ''));
  return behind.length === 0 ? pieces : behind.map((piece) => piece.split(/[\s"']/)[0] ?? '');
}

/** Keys that the analysis found: literals where a request is given a key or another credential, whether it is moved or not. */
export function provenKeys({ calls, keys }: Pick<Plan, 'calls' | 'keys'>, places: Places): ReadonlySet<string> {
  const steps = calls.flatMap(({ proof }) => proof.filter(({ step }) => step === 'key' || step === 'header'));
  const found = [...steps, ...keys].flatMap((step) => {
    const source = places.textAt(step);
    if (source === undefined || source === step.text) return [];
    const inside = literals(source);
    // Formats without quotes, as .env has it.
    const given = source.search(quoted) === -1 && step.step === 'key' ? [source] : inside;
    return given.map(withoutAnyScheme).filter((literal) => isKey(literal, isTest(step)) && !step.text.includes(literal));
  });
  return new Set(found);
}

/** Keys by how they begin: many files may hold many keys, and each output is searched for all of them. */
const indexes = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, readonly string[]>>();

function indexOf(keys: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const index = indexes.get(keys) ?? Map.groupBy(keys, (key) => key.slice(0, shortest));
  indexes.set(keys, index);
  return index;
}

function knownIn(text: string, keys: ReadonlySet<string>): string[] {
  if (keys.size === 0) return [];
  const index = indexOf(keys);
  const found: string[] = [];
  for (let at = 0; at + shortest <= text.length; at++) {
    for (const key of index.get(text.slice(at, at + shortest)) ?? []) if (text.startsWith(key, at)) found.push(key);
  }
  return found;
}

/** As long as keys are, and a value: within quotes, or up to the end of the line. */
const value = /(?=[\w+/.~-]{20})(?<=["'`]|^[+ -]?[\t ]*(?:export +|- +)?[\w.-]+[\t ]*[=:][\t ]*)[\w+/.~-]{20,512}={0,2}(?=["'`]|[\t ]*$)/gm;
const turns = /[A-Za-z](?=\d)|\d(?=[A-Za-z])/g;
const fewestTurns = 4;

/** Values without a name or a form that is known, in which letters and digits take turns as in nothing that is written by hand. */
const randomIn = (text: string): string[] =>
  [...text.matchAll(value)].flatMap(([found]) => ((found.match(turns)?.length ?? 0) >= fewestTurns ? [found] : []));

/**
 * Everything in a text that is a key, or looks like one.
 * @param isInTest whether it is of a test, which has words for keys
 */
export function keysIn(text: string, proven: ReadonlySet<string>, isInTest = false): readonly string[] {
  const alike = forms.flatMap((form) => [...text.matchAll(form)].map(({ groups }) => withoutScheme(groups?.['key'] ?? '')));
  return [...knownIn(text, proven), ...[...alike, ...randomIn(text)].filter((each) => isKey(each, isInTest))];
}

/** The text with all keys blotted out. */
export const withoutKeys = (text: string, proven: ReadonlySet<string>): string =>
  keysIn(text, proven)
    .toSorted((a, b) => b.length - a.length)
    .reduce((so, key) => so.replaceAll(key, blot), text);

/** A key may be a word of a host: an address that is shown has to lead there. */
const outsideOfHosts = (text: string, clean: (part: string) => string): string =>
  text
    .split(/(https?:\/\/[\w.-]+(?::\d{1,5})?(?=[/?#'"`\s]|$))/)
    .map((part, index) => (index % 2 === 1 ? part : clean(part)))
    .join('');

/** The plan as it may be reported, with every key blotted out: whoever found one in the code may have missed another. */
export function withoutKeysIn(plan: Plan, proven: ReadonlySet<string>): Plan {
  // Proofs of many calls say the same.
  const known = new Map<string, string>();
  const cleaned = (text: string): string => {
    const clean = known.get(text) ?? outsideOfHosts(text, (part) => withoutKeys(part, proven));
    known.set(text, clean);
    return clean;
  };
  const clean = (detail: Finding['detail']): Finding['detail'] =>
    Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, cleaned(value)]));
  return {
    ...plan,
    calls: plan.calls.map((call) => ({ ...call, proof: call.proof.map((step) => ({ ...step, text: cleaned(step.text) })) })),
    candidates: plan.candidates.map((candidate) => ({ ...candidate, base: cleaned(candidate.base) })),
    findings: plan.findings.map((finding) => ({ ...finding, detail: clean(finding.detail) })),
  };
}
