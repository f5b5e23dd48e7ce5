/** What the files of a package hold of v1 once edits are made, and which names they have. */
import type { FoundFile } from '../../find/walk.ts';
import type { Finding } from '../../model.ts';
import { once } from '../../once.ts';
import { answersAny, isAddressEdit, isScript, keysKeptIn, longestLine, type Use, usesOf, wordsIn } from '../uses-of-v1.ts';
import { isExampleOf, note, type Package, type Search } from './package.ts';

export function noteUses(found: FoundFile, search: Search): void {
  const { about, named, editsIn, textIn } = search;
  const { path: file } = found;
  const own = found.aside === undefined && !isDocument.test(file) ? about(file) : [];
  if (own.length === 0) return;
  const edits = editsIn.get(file) ?? [];
  // Of a package with something that stays only rows are asked that are tied to its code.
  const isAsked = own.some(({ isLeft }) => !isLeft) || named.function.size + named.file.size + named.variable.size > 0;
  const uses: ReadonlySet<Use> = isAsked ? usesOf(found, edits, textIn) : new Set();
  for (const use of uses) for (const each of own) each.holds.add(use === 'routes' && isExampleOf(each, file) ? 'examples' : use);
  const variables = once(() => wordsIn(file, named.variable, textIn));
  const kept = uses.has('header') ? keysKeptIn(file, edits, named.variable, textIn) : [];
  if (kept === 'any') for (const each of own) each.holds.add('any key');
  note(own, 'keysKept', kept === 'any' ? variables() : kept);
  const movesHeader = edits.some(({ what }) => what === 'header name');
  if (movesHeader) note(own, 'keysMoved', variables());
  noteAddresses(own, file, search);
  if (!isScript.test(file)) return;
  note(own, 'read', variables());
  // What is an option of the client has its default where the address stands, and is sent where the header is.
  if (edits.some(isAddressEdit)) note(own, 'read', wordsIn(file, named.option, textIn));
  if (movesHeader) note(own, 'sent', wordsIn(file, named.option, textIn));
}

/** What people or a database read. */
const isDocument = /\.(?:mdx?|rst|adoc|txt|sql|csv|tsv)$/i;

/** Where something answers requests, what a call goes by may be what it answers by. */
export function noteAnswers({ open, packages, about, files, textIn }: Search): void {
  const isAsked = [...packages.values()].some(({ holds }) => holds.has('called')) || open.some(({ isUntied }) => isUntied);
  for (const { path } of isAsked ? files : [])
    if (isGateway.test(path) || (isScript.test(path) && answersAny(textIn(path))))
      for (const each of about(path)) {
        if (!isExampleOf(each, path)) each.holds.add('answers');
        if (each.holds.has('called') && isScript.test(path)) each.holds.add('routes');
      }
}

/** What may ask for the key of others in front of a program, or is one that is not read. */
const isGateway =
  /(?:^|\/)(?:(?:serverless|template|kong|krakend|nginx|gateway)[\w.-]*\.\w+)$|\.(?:tf|py|go|rb|php|java|kt|rs|cs|exs?|scala)$/i;

/** What frameworks read variables for, whose names stand nowhere in code: `runtimeConfig.texts.url` is `NUXT_TEXTS_URL`. */
export function noteDefaults(findings: readonly Finding[], { about, named }: Search): void {
  for (const { code, file, detail } of findings) {
    const name = String(detail['name']);
    if (code !== 'env-elsewhere' || detail['how'] !== 'default' || !named.variable.has(name)) continue;
    note(about(file), 'read', [name]);
    note(about(file), 'set', [name]);
  }
}

export function noteSet({ about, named, editsIn, textIn }: Search): void {
  for (const [file, edits] of named.variable.size + named.option.size === 0 ? [] : editsIn) {
    const text = textIn(file);
    for (const { start, end } of edits.filter(isAddressEdit)) {
      const before = text.slice(Math.max(0, start - longestLine), start);
      const isVersion = isWholeVersion(before, text.slice(end, end + 2));
      note(about(file), 'set', (isVersion ? setUpToVersion : setUpTo).exec(before)?.slice(1, 2) ?? []);
      if (isScript.test(file))
        note(about(file), 'set', optionsSetAt(before, isVersion ? optionUpToVersion : optionUpTo, text, named.option));
    }
  }
}

/** Whether what is edited is a version by itself, and nothing in front of it or behind. */
const isWholeVersion = (before: string, behind: string): boolean => /["'`=:\s-]\/?$/.test(before) && /^\/?(?:["'`}\s]|$)/.test(behind);

const given = String.raw`(?:=|:|\?\?|\|\|)\s*`;
const optionUpTo = new RegExp(String.raw`\b([A-Za-z_]\w*)["']?\s*${given}["'\x60]https?:[^\s"'\x60]*$`);
/** As itself, or in what checks it: `version: z.string().default('v1')`. */
const inCheck = String.raw`(?:(?:[\w$]+\.)*[\w$]+(?:<\w+>)?\([^()\n]*\)\s*(?:\.|\?\?|\|\|)\s*)*(?:default\(\s*)?`;
const optionUpToVersion = new RegExp(String.raw`\b([A-Za-z_]\w*)["']?\s*${given}${inCheck}["'\x60]\/?$`);

/** Options with what is edited as their default, or with a constant that has it: `url = defaultUrl`. */
function optionsSetAt(before: string, upTo: RegExp, text: string, names: ReadonlySet<string>): readonly string[] {
  const [, name] = upTo.exec(before) ?? [];
  if (name === undefined || names.has(name)) return name === undefined ? [] : [name];
  const ofName = new RegExp(String.raw`\b([A-Za-z_]\w*)["']?\s*${given}${name}\b`, 'g');
  return Array.from(text.matchAll(ofName), ([, option = '']) => option).filter((option) => names.has(option));
}

/** Variables that a file sets to an address, or that have one as their default. */
function noteAddresses(own: readonly Package[], file: string, { named, bases, textIn }: Search): void {
  for (const [, name = '', address = ''] of named.variable.size === 0 ? [] : textIn(file).matchAll(setToAddress)) {
    const isOurs = bases.v1.some((base) => address === base || address.startsWith(`${base}/`));
    if (named.variable.has(name)) note(own, isOurs ? 'bases' : 'elsewhere', [name]);
  }
}
const setTo = String.raw`\b([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)["']?\]?\s*(?:=|:|\?\?|\|\||:-)\s*["'\x60]?`;
const setToAddress = new RegExp(String.raw`${setTo}(https?:[^\s"'\x60]*)`, 'g');
const setUpTo = new RegExp(String.raw`${setTo}https?:[^\s"'\x60]*$`);
const setUpToVersion = new RegExp(
  String.raw`\b([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)["'\x60]?[\])]?\s*(?:=|:|\?\?|\|\||:-|,)\s*${inCheck}["'\x60]?\/?$`,
);
