/**
 * curl and wget that a program runs: by a template of zx, execa, Bun and dax, in a command of `exec`, or with their words in a list. What is known of the words is written out there,
 * and moves as in a shell's script.
 */
import { isAuthorization, isKeyHeader } from '../../../src/contract/auth.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { concatenated, flat, sliceParts, unknownPart } from '../../evaluate/values/text.ts';
import {
  choiceOf,
  type Entry,
  type ExternalValue,
  type HttpValue,
  type ObjectValue,
  optionsOf,
  type Part,
  partsOf,
  plainText,
  type TextPart,
  unknown,
  type Value,
} from '../../evaluate/values/values.ts';
import type { Node, StringNode, TaggedNode, TemplateNode, TemplateText } from '../../syntax/tree.ts';
import { authorized, textOf } from '../shapes.ts';
import { credentialsOfCurl, curlSyntax, hasOption, optionsIn, usualMethod, valuesOf, wgetSyntax } from '../values/command-options.ts';
import { isOfName } from '../values/written-after.ts';
import { commandsOf, type Piece, type Word } from '../values/spawned-commands.ts';

const name = 'curl';

/** Where the words of a command stand. */
interface Place {
  readonly node: Node;
  readonly module: SourceModule;
}

/** A word as a text, with what it is made of. */
interface Read {
  readonly value: string;
  readonly parts: readonly Part[];
  /** The parts behind which a blank would end the word. */
  readonly bare: ReadonlySet<Part>;
  /** Whether the shell may make any number of words of it. */
  readonly isOpen: boolean;
  readonly whole: Value;
}

const behind = (word: Read, from: number): Read => {
  const parts = sliceParts(word.parts, from, word.value.length);
  // What is left of the parts is their last ones.
  const before = word.parts.length - parts.length;
  const bare = new Set(parts.filter((part, index) => word.bare.has(word.parts[before + index] ?? part)));
  return { ...word, value: word.value.slice(from), parts, bare, whole: { type: 'text', parts } };
};

function readWord(word: Word, isSplit: boolean): Read[] {
  const [only] = word;
  if (word.length === 1 && only?.value.type === 'list' && !only.value.isOpen)
    return only.value.items.flatMap((value) => readWord([{ value, isBare: false }], false));
  const whole = word.length === 0 ? textOf('') : concatenated(word.map(({ value }) => value));
  const [first = whole] = optionsOf(whole);
  const parts = partsOf(first);
  const value = flat(parts);
  // The parts of a text are those of its pieces, one after the other.
  const bareTexts = new Set(word.flatMap(({ value: piece, isBare }) => (isBare && piece.type === 'text' ? piece.parts.map(placeOf) : [])));
  return [
    {
      value,
      parts,
      bare: new Set(parts.filter((part) => bareTexts.has(placeOf(part)))),
      isOpen: isSplit && value === unknownPart && only?.isBare === true,
      whole,
    },
  ];
}

const placeOf = (part: Part): string | undefined =>
  'text' in part && part.source !== undefined ? `${part.source.module.file} ${part.source.start}` : undefined;

function requestsOf(words: readonly Word[], place: Place, isSplit: boolean): HttpValue[] {
  const read = words.flatMap((word) => readWord(word, isSplit));
  const at = read.findIndex(({ value }) => !/^\w+=/.test(value));
  const program = /^(?:.*\/)?(curl|wget)$/.exec(read[at]?.value ?? '')?.[1];
  if (program === undefined) return [];
  const isCurl = program === 'curl';
  const { options, rest } = optionsIn(read.slice(at + 1), isCurl ? curlSyntax : wgetSyntax, behind);
  const named = [...valuesOf(options, 'url'), ...rest.filter((word) => !word.isOpen)];
  const urls = named.length > 0 ? named : rest;
  const given = valuesOf(options, ...(isCurl ? ['X', 'request'] : ['method'])).at(-1);
  const usual = isCurl ? usualMethod(options) : hasOption(options, /^post-(?:data|file)$/) ? 'POST' : 'GET';
  const isSigned = hasOption(options, isCurl ? credentialsOfCurl : /^(?:http-)?user$/);
  // A file of options may say anything.
  const isOpen = (named.length > 0 && rest.some((word) => word.isOpen)) || (isCurl && hasOption(options, /^(?:K|config)$/));
  const headers = [
    headersOf(valuesOf(options, ...(isCurl ? ['H', 'header'] : ['header'])), place),
    ...(isSigned ? [authorized(place)] : []),
    ...(isOpen ? [unknown(place.node, place.module)] : []),
  ];
  return urls.map(({ whole }) => ({
    type: 'http',
    client: name,
    stage: 'request',
    node: place.node,
    module: place.module,
    origins: [place.node],
    url: whole,
    method: given === undefined ? usual : given.whole,
    headers,
  }));
}

/** Those that matter: the key's, and what would stand in the place of it. */
function headersOf(words: readonly Read[], { node, module }: Place): ObjectValue {
  const entries = words.flatMap((word): Entry[] => {
    const [, blank = '', header = '', before = ''] = /^(\s*)([\w-]+)(\s*:[ \t]*)/.exec(word.value) ?? [];
    const isKey = isKeyHeader(header) || isAuthorization(header);
    // One without a value is not sent.
    if (!isKey || word.value.slice(blank.length + header.length + before.length).trim() === '') return [];
    const [key, more] = sliceParts(word.parts, blank.length, blank.length + header.length);
    const from = blank.length + header.length + before.length;
    const start = openingOf(word, from, key);
    return [
      {
        name: header,
        key: more === undefined && key !== undefined && 'text' in key ? key : undefined,
        node: start === undefined ? node : { ...start.node, start: startOf(key) ?? start.node.start },
        module: start?.module ?? module,
        value: () => ({ type: 'text', parts: sliceParts(word.parts, from, word.value.length) }),
        valueNode: start?.node,
        ...(start !== undefined && { opening: { start: start.node.start, space: start.isBare ? undefined : ' ' } }),
      },
    ];
  });
  // One that is put together at run time may be any.
  const open = words.filter(({ value, whole }) => !/^[^\0]*:/.test(value) || optionsOf(whole).length > 1);
  return { type: 'object', node, module, entries, unknown: open.map(({ whole }) => whole) };
}

const startOf = (part: Part | undefined): number | undefined => (part !== undefined && 'text' in part ? part.source?.start : undefined);

/** Where the value of a header begins, if a scheme may be written there, and whether a blank would end the word: with what is written out of it, which may be a key. */
function openingOf(
  { parts, bare }: Read,
  from: number,
  name: Part | undefined,
): { readonly node: StringNode; readonly module: SourceText; readonly isBare: boolean } | undefined {
  let offset = 0;
  for (const part of parts) {
    const width = 'text' in part ? part.text.length : 1;
    if (from <= offset + width && 'text' in part) {
      const { source } = part;
      if (source?.isExact !== true || !isOfName(source, name)) return undefined;
      const value = part.text.slice(from - offset);
      const start = source.start + from - offset;
      return {
        node: { kind: 'string', quote: '"', value, start, end: start + value.length },
        module: source.module,
        isBare: bare.has(part),
      };
    }
    offset += width;
  }
  return undefined;
}

const made = (requests: readonly HttpValue[]): Value | undefined => (requests.length === 0 ? undefined : choiceOf(requests));

/** `exec('curl …')` */
function asked(command: Value, place: Place): HttpValue[] {
  return optionsOf(command).flatMap((option) => {
    const pieces = partsOf(option).map((part): TextPart | Value => ('text' in part ? part : part.unknownPart));
    return (commandsOf(pieces, place) ?? []).flatMap((words) => requestsOf(words, place, true));
  });
}

/** `execFile('curl', ['-H', '…', url])`, `spawn('sh', ['-c', 'curl …'])` */
function askedBy(program: Value, list: Value | undefined, place: Place): HttpValue[] {
  if (list?.type !== 'list' || list.isOpen) return [];
  const [flag, command] = list.items;
  if (/^(?:.*\/)?(?:ba|z|da)?sh$/.test(plainText(program) ?? '') && flag !== undefined && command !== undefined)
    return /^-\w*c$/.test(plainText(flag) ?? '') ? asked(command, place) : [];
  const pieces = [program, ...list.items].map((value): readonly Piece[] => [{ value, isBare: false }]);
  return requestsOf(pieces, place, false);
}

/** A shell gets the words of a list in one line. */
const joined = (program: Value, list: Value | undefined): Value =>
  list?.type === 'list' && !list.isOpen ? concatenated([program, ...list.items].flatMap((value) => [value, textOf(' ')])) : program;

/** `spawn('curl …', { shell: true })`, `{ shell: process.platform === 'win32' }`: whether a shell may read the words. */
function mayBeOfShell(ev: Evaluation, options: Value | undefined, { node, module }: Place): boolean {
  if (options?.type !== 'object' || !options.entries.some((entry) => entry.name === 'shell')) return false;
  return optionsOf(ev.member(options, 'shell', node, { module, frame: undefined })).some(
    (set) => set.type !== 'literal' || Boolean(set.value),
  );
}

function call({ path, args: [first, second, third], node, module, ev }: RuleCall): Value | undefined {
  const method = path.findLast((each) => each !== 'default') ?? 'execa';
  if (first === undefined) return undefined;
  if (/^(?:exec|execSync|execaCommand(?:Sync)?)$/.test(method)) return made(asked(first, { node, module }));
  const isOfShell = [second, third].some((options) => mayBeOfShell(ev, options, { node, module }));
  if (/^(?:execFile|spawn|execa)(?:Sync)?$/.test(method))
    return made(isOfShell ? asked(joined(first, second), { node, module }) : askedBy(first, second, { node, module }));
  // `$({ quiet: true })` is one with settings.
  return method === '$' && optionsOf(first).every(({ type }) => type === 'object') ? shell : undefined;
}

const shell: ExternalValue = { type: 'external', source: 'zx', path: ['$'] };
const runsCommands: ReadonlySet<string> = new Set(['zx', 'execa', 'bun', '@david/dax', 'dax-sh']);

/** `$`curl ${url} -H ${header}``: what is put in is a part of one word, or as many words as a list has items. */
function tagged(node: TaggedNode, at: At, ev: Evaluation): Value | undefined {
  const { module } = at;
  const tag = ev.evaluate(node.tag, at);
  if (!optionsOf(tag).every((each) => isShell(each, module))) return undefined;
  const { template } = node;
  const { start, end } = template;
  const pieces =
    template.kind === 'string'
      ? written({ start: start + 1, end: end - 1, value: template.value }, template, module)
      : template.texts.flatMap((text, index): (TextPart | Value)[] => {
          const expression = template.expressions[index];
          return [...written(text, template, module), ...(expression === undefined ? [] : [ev.evaluate(expression, at)])];
        });
  const place = { node, module };
  return made((commandsOf(pieces, place) ?? []).flatMap((words) => requestsOf(words, place, false)));
}

/** What stands on several lines, each of which ends in a backslash, stands there as it is written but for that. */
function written(text: TemplateText, node: StringNode | TemplateNode, module: SourceModule): TextPart[] {
  const raw = module.text.slice(text.start, text.end);
  const lines: { readonly start: number; readonly text: string }[] = [];
  let offset = text.start;
  for (const [at, part] of raw.split(/(\\\r?\n)/).entries()) {
    if (at % 2 === 0) lines.push({ start: offset, text: part });
    offset += part.length;
  }
  const isWhole = lines.map((line) => line.text).join('') === text.value;
  const parts = isWhole ? lines : [{ start: text.start, text: text.value }];
  return parts.flatMap((part) =>
    part.text === '' ? [] : { text: part.text, source: { module, start: part.start, isExact: isWhole, node } },
  );
}

/** By what it is: jQuery has a `$`, too. A script that zx runs has it without an import. */
function isShell(value: Value, { text }: SourceModule): boolean {
  if (value.type !== 'external') return false;
  const { source, path } = value;
  if (source === '') return path.join('.') === '$' && /^#!.*\bzx\b/.test(text);
  return runsCommands.has(source) && /^(?:\$\w*|default)$/.test(path.at(-1) ?? 'default');
}

export const curlRule: ClientRule = {
  name,
  title: 'curl, run by zx, execa, Bun or child_process',
  modules: ['child_process', 'execa', 'shelljs', 'zx', 'bun', '@david/dax', 'dax-sh'],
  call,
  commandsIn: /\b(?:curl|wget)\b/,
  tagged,
};
