/** Shell scripts, Dockerfiles and Makefiles: the requests of their commands and the variables they set. */
import { type PassedOn, type Reading, type Setting, type Stretch, type WrittenRequest, merge } from '../reading.ts';
import { type TextRange, type Text, join, slice } from '../text.ts';
import { type Definition, type Scope, expansions, referencesIn, scopeOf } from '../variables.ts';
import { type Header, isKeyField, partsIn, settingOf, writtenRequest } from '../written.ts';
import { clientOf } from './curl.ts';
import { type Command, type Word, commandsIn } from './words.ts';

const assignment = /^[A-Za-z_]\w*\+?=/;
/** Make sets variables with blanks around the sign. */
const makeSign = /^(?:=|:=|::=|\?=)$/;
const declares = /^(?:export|readonly|local|declare|typeset|ENV|ARG)$/;
const exports = /^(?:export|ENV|ARG)$/;
/** What may stand before the command. */
const passing =
  /^(?:if|then|elif|else|do|while|until|!|time|sudo|exec|command|nohup|env|RUN|CMD|ENTRYPOINT|HEALTHCHECK|\{|\$|>|--?[\w-]+(?:=.*)?)$/;
/** Commands that show or test a value and pass it to nobody. */
const harmless = /^@?(?:echo|printf|\[|\[\[|test|:|log\w*|info|warn|error|die|unset|export|readonly|local)$/;

/** Commands one word of which is a script. */
const shells = /^@?(?:.*\/)?(?:sh|bash|zsh|dash|ssh|eval|su|docker|podman|kubectl|watch|parallel|xargs|timeout|retry)$/;

interface Assigned extends Definition {
  readonly exported: boolean;
  readonly items?: readonly Word[] | undefined;
}

/** A command without what it sets. */
interface Run extends TextRange {
  readonly words: readonly Text[];
  readonly sets: readonly Assigned[];
}

/**
 * Reads scripts that are run one after the other.
 * @param outer variables that are set around them, such as those of a workflow
 */
export function readScripts(scripts: readonly Text[], stretch: Stretch, outer?: Scope): Reading {
  return readRuns(
    scripts.flatMap((script) => commandsIn(script).map(understand)),
    stretch,
    outer,
  );
}

/** Reads one command that is given as a list of words. */
export function readCommand(words: readonly Text[], place: TextRange, stretch: Stretch, outer?: Scope): Reading {
  return readRuns([{ ...place, words, sets: [] }], stretch, outer);
}

/** What is known around a command. */
interface Around {
  readonly stretch: Stretch;
  readonly scope: Scope;
  readonly arrays: ReadonlyMap<string, readonly Text[]>;
  readonly settings: ReadonlyMap<Assigned, Setting>;
}

function readRuns(runs: readonly Run[], stretch: Stretch, outer: Scope | undefined): Reading {
  const assigned = runs.flatMap(({ sets }) => sets);
  const arrays = new Map(assigned.flatMap(({ name, items }) => (items === undefined ? [] : [[name, items.map(({ text }) => text)]])));
  const definitions = assigned.filter(({ items }) => items === undefined);
  const scope = scopeOf(definitions, outer);
  const exported = definitions.filter((each) => each.exported);
  const settings = new Map(
    exported.flatMap((each) => {
      const setting = settingOf(each.value, stretch, scope, { name: each.name });
      return setting === undefined ? [] : [[each, setting]];
    }),
  );
  const around = { stretch, scope, arrays, settings };
  return merge([{ settings: [...settings.values()] }, ...runs.map((run) => readRun(run, around))]);
}

function understand({ words: written, start, end }: Command): Run {
  // The prompt of a session.
  const words = written[0]?.text.value === '$' ? written.slice(1) : written;
  const [first, second, third] = words;
  const name = first?.text.value ?? '';
  if (second !== undefined && third !== undefined && makeSign.test(second.text.value) && /^\w+$/.test(name))
    return { start, end, words: [], sets: [{ name, value: third.text, exported: false, isDefault: second.text.value === '?=' }] };
  if (declares.test(name)) {
    // ENV NAME value, and in a Makefile `export NAME := value`.
    const [, , sign] = words;
    const value = sign !== undefined && makeSign.test(sign.text.value) ? words[3] : third;
    if (second !== undefined && value !== undefined && /^\w+$/.test(second.text.value) && (name === 'ENV' || value !== third))
      return { start, end, words: [], sets: [{ name: second.text.value, value: value.text, exported: true }] };
    return { start, end, words: [], sets: words.slice(1).flatMap((word) => assignedBy(word, exports.test(name))) };
  }
  const until = words.findIndex(({ text }) => !assignment.test(text.value) && !passing.test(text.value));
  const head = until === -1 ? words : words.slice(0, until);
  const rest = until === -1 ? [] : words.slice(until);
  // A variable set before a command is in that command's environment, as is what `docker run -e` is given.
  const passed = rest.filter((_, i) => /^(?:-e|--env|--build-arg)$/.test(rest[i - 1]?.text.value ?? ''));
  const sets = [...head.flatMap((word) => assignedBy(word, rest.length > 0)), ...passed.flatMap((word) => assignedBy(word, true))];
  return { start, end, words: rest.map(({ text }) => text), sets };
}

function assignedBy({ text, items }: Word, exported: boolean): Assigned[] {
  const sign = assignment.exec(text.value)?.[0];
  if (sign === undefined) return [];
  return [{ name: sign.replace(/\+?=$/, ''), value: slice(text, sign.length), exported, items }];
}

type Found = Pick<Reading, 'requests' | 'passedOn'>;

/** The requests of a command, and the words by which it passes our variables on. */
function readRun({ words: given, sets, start, end }: Run, around: Around): Found {
  const { stretch, scope, arrays, settings } = around;
  const words = given.flatMap((word) => arrays.get(/^\$\{(\w+)\[[@*]\]\}$/.exec(word.value)?.[1] ?? '') ?? [word]);
  const at = words.findIndex(({ value }, i) => clientOf(value) !== undefined && (i === 0 || /^(?:.*\/)?(?:curl|wget)$/.test(value)));
  const ask = clientOf(words[at]?.value ?? '');
  const place = { start, end };
  const othersThan = (used: readonly Text[]): PassedOn[] => {
    if (harmless.test(words[0]?.value ?? '')) return [];
    // A part of a word may be what was understood: `--url=…`.
    const seen = new Set(used.map((part) => part.at[0]));
    return words.filter((word) => !word.at.some((offset) => seen.has(offset))).flatMap((word) => passedOn(word, place, around));
  };
  if (ask === undefined && shells.test(words[0]?.value ?? '')) {
    const inner = words.filter(({ value }) => /\b(?:curl|wget)\s/.test(value));
    const runs = inner.flatMap((word) => commandsIn(word).map(understand));
    if (runs.length > 0) {
      const found = runs.map((run) => readRun(run, around));
      return {
        requests: found.flatMap(({ requests }) => requests),
        passedOn: [...found.flatMap(({ passedOn }) => passedOn), ...othersThan(inner)],
      };
    }
  }
  if (ask === undefined) {
    const exported = sets.filter((each) => each.exported);
    const into = exported.flatMap((each) => passedOn(each.value, place, around).map((on) => ({ ...on, within: settings.get(each) })));
    return { requests: [], passedOn: [...othersThan([]), ...into] };
  }
  const requests: WrittenRequest[] = [];
  const used: Text[] = [];
  for (const part of split(words.slice(at + 1))) {
    const { urls, headers, method, credentials, client, used: understood } = ask(part, (word) => headerOf(word, scope));
    used.push(...understood);
    // A word that cannot be a URL is the value of an option that is not known here.
    const addresses: (Text | undefined)[] = urls.filter(({ value }) => value.includes('/') || referencesIn(value).length > 0);
    if (addresses.length === 0 && headers.some(({ name }) => isKeyField(name.value))) addresses.push(undefined);
    const asked = { start, end, client, method, headers, hasCredentials: credentials };
    requests.push(...addresses.map((url) => writtenRequest({ ...asked, url }, stretch, scope)));
  }
  return { requests, passedOn: othersThan(used) };
}

/** `curl … --next …` are two requests. */
function split(words: readonly Text[]): Text[][] {
  const parts: Text[][] = [[]];
  for (const word of words) {
    if (/^(?:--next|-:)$/.test(word.value)) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts;
}

/** Variables in a word are passed to a program which is not read. */
function passedOn(word: Text, { start: from, end: to }: TextRange, { stretch, scope }: Around): PassedOn[] {
  return referencesIn(word.value).map(({ name, start, end }) => ({
    start: stretch.start + from,
    end: stretch.start + to,
    name,
    parts: expansions(slice(word, start, end), scope)
      .flatMap((text) => partsIn(text, stretch))
      // What it gets under its own name it finds there anyway.
      .filter((part) => 'text' in part || !word.value.startsWith(`${name}=`)),
  }));
}

/** `name: value`; variables are only put in until the name is seen, so that the key is changed where it is sent. */
function headerOf(word: Text, scope: Scope): Header | undefined {
  let text = word;
  for (let depth = 0; depth < 5; depth++) {
    const colon = /^\s*[\w-]+\s*:/.exec(text.value)?.[0].length;
    if (colon !== undefined) {
      const blank = /^\s*/.exec(text.value.slice(colon))?.[0].length ?? 0;
      return { name: slice(text, 0, colon - 1), value: slice(text, colon + blank) };
    }
    const [reference] = referencesIn(text.value);
    const [definition, another] = reference?.start === 0 ? scope.get(reference.name) : [];
    if (reference === undefined || definition === undefined || another !== undefined) return undefined;
    text = join([definition.value, slice(text, reference.end)]);
  }
  return undefined;
}
