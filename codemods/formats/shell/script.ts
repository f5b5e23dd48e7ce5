/** Shell scripts, Dockerfiles and Makefiles: the requests of their commands and the variables they set. */
import type { Span } from '../../model.ts';
import { type PassedOn, type Reading, type Setting, type Stretch, type WrittenRequest, merge } from '../reading.ts';
import { type TextRange, type Text, slice, splitAtBlanks } from '../text.ts';
import { overridesOf } from '../parameters.ts';
import { type Definition, type Scope, expansions, referencesIn, scopeOf, shadowing } from '../variables.ts';
import { type Header, isKeyField, partsIn, settingOf, writtenRequest } from '../written.ts';
import { clientOf } from './curl.ts';
import { isOwn, unfolded } from './functions.ts';
import { type Assigned, type Run, understand, withOptions } from './runs.ts';
import { takenFrom } from './cut-variables.ts';
import { isUnderOwnName } from './handed-over.ts';
import { givenToUnread } from './programs.ts';
import { givenBy } from './given.ts';
import { headerOf, isOutsideQuotes, putInBy } from './headers.ts';
import { runsIn } from './locals.ts';
import { type Lists, allSet, listHeld, listsLost, listsOf, separate } from './lists.ts';
import { isReadTwice, mayBeSplitBehind } from './split-again.ts';
import { type Sourcing, notSourced } from './sourced.ts';
import { nothingSourced, type Sourced, type SentHeader, placeBehind } from './sourced-headers.ts';
import { commandsIn } from './words.ts';
import { variablesIn } from './written-variables.ts';

/** Commands that show or test a value and pass it to nobody. */
const harmless = /^@?(?:echo|printf|\[|\[\[|test|:|log\w*|info|warn|error|die|unset|export|readonly|local)$/;

/** Commands one word of which is a script. */
const shells = /^@?(?:.*\/)?(?:sh|bash|zsh|dash|ssh|eval|su|docker|podman|kubectl|watch|parallel|xargs|timeout|retry)$/;

/**
 * Reads scripts that are run one after the other.
 * @param outer variables that are set around them, such as those of a workflow
 * @param beside what is known of scripts that source them, and that they source; commands that are given as lists of words, and read by themselves
 */
export function readScripts(scripts: readonly Text[], stretch: Stretch, outer?: Scope, beside: Partial<Beside> = {}): Reading {
  const runs = scripts.flatMap(runsIn);
  const assigned = new Set(runs.flatMap(({ sets }) => sets.flatMap(({ value }) => value.at[0] ?? [])));
  const written = scripts.flatMap((script) => variablesIn(script, (offset) => assigned.has(offset)));
  return readRuns(runs, stretch, { ...alone, ...beside, outer, written });
}

/** Reads one command that is given as a list of words. */
export function readCommand(words: readonly Text[], place: TextRange, stretch: Stretch, outer?: Scope): Reading {
  return readRuns([runOf(words, place)], stretch, { ...alone, outer, written: words.flatMap((word) => variablesIn(word)) });
}

export const runOf = (words: readonly Text[], place: TextRange): Run => ({ ...place, words, sets: [], within: undefined, isGiven: false });

/** What is known around a command. */
interface Around {
  readonly stretch: Stretch;
  readonly scope: Scope;
  readonly sourced: Sourced;
  readonly lists: Lists;
  /** All that lists of the script are set to, in any function. */
  readonly set: Lists;
  readonly settings: ReadonlyMap<Assigned, Setting>;
  /** Whether it goes through another shell as it is. */
  readonly isSplitAgain: boolean;
}

interface Beside {
  readonly sourcing: Sourcing;
  /** Headers in variables of files that they source. */
  readonly sourced: Sourced;
  /** Variables that count as exported, as scripts which source them have them, with where these send them. */
  readonly seenBySourcing: ReadonlyMap<string, readonly Span[]>;
  /** Whether all that it sets, those have that it is read as one with. */
  readonly isIncluded: boolean;
  readonly lists: readonly Run[];
  /** Whether a script that is run in the same shell has a list of that name that it does not set. */
  readonly isListOfOthers: (name: string) => boolean;
}

interface Known extends Beside {
  readonly outer: Scope | undefined;
  /** Variables that words set. */
  readonly written: readonly Definition[];
}

const alone: Beside = {
  sourcing: notSourced,
  sourced: nothingSourced,
  seenBySourcing: new Map(),
  isIncluded: false,
  lists: [],
  isListOfOthers: () => false,
};

function readRuns(commands: readonly Run[], stretch: Stretch, known: Known): Reading {
  const { outer, sourcing, sourced, seenBySourcing, isIncluded, written, lists, isListOfOthers } = known;
  const runs = withOptionsPut(commands, stretch, outer);
  const assigned = assignedIn(runs);
  const scope = scopeOf([...textsOf(assigned), ...sourcing.sets], outer);
  const shared = givenBy([...runs, ...lists], stretch, scope);
  const settings = new Map(
    textsOf(assigned).flatMap((each) => {
      const sentAt = seenBySourcing.get(each.name);
      const about = { name: each.name, program: shared.programs.get(each), sentAt };
      const setting = each.exported || isIncluded || sentAt !== undefined ? settingOf(each.value, stretch, scope, about) : undefined;
      return setting === undefined ? [] : [[each, setting]];
    }),
  );
  const overrides = runs.flatMap(({ words }) =>
    overridesOf(words, stretch.source).flatMap(({ name, value }) => settingOf(value, stretch, scope, { name }) ?? []),
  );
  const handedOn = written.flatMap(({ name, value }) => settingOf(value, stretch, scope, { name }) ?? []);
  const set = allSet(runs);
  const around = { stretch, scope, sourced, lists: listsOf(assigned), set, settings, isSplitAgain: false };
  const taken = [...runs, ...lists].flatMap((run) => takenFrom(run, stretch, scope));
  const found = unfolded(runs, ({ words }) => clientAt(words) !== -1, sourcing.calls).map(({ run, locals }) =>
    readRun(run, locals.reduce(inFunction, around)),
  );
  const given = givenToUnread(
    runs.filter(({ isGiven }) => isGiven),
    stretch,
    scope,
  );
  const ofOthers = runs.flatMap((run) =>
    run.sets.flatMap(({ name, items, isLocal }) =>
      items !== undefined && !isLocal && isListOfOthers(name) ? listHeld(name, run, around) : [],
    ),
  );
  return merge([
    { settings: [...settings.values(), ...overrides, ...handedOn], passedOn: [...given, ...shared.passedOn, ...taken, ...ofOthers] },
    ...found,
  ]);
}

const assignedIn = (runs: readonly Run[]): Assigned[] =>
  runs.flatMap(({ sets, within }) => (within === undefined ? sets : sets.filter((each) => !isOwn(each))));

/** What starts containers, with the options that variables and lists hold. */
function withOptionsPut(commands: readonly Run[], stretch: Stretch, outer: Scope | undefined): readonly Run[] {
  const assigned = assignedIn(commands);
  const around = { stretch, scope: scopeOf(textsOf(assigned), outer), lists: listsOf(assigned) };
  return commands.map((run) => withOptions(run, (word) => separate(word, around)));
}

const textsOf = (assigned: readonly Assigned[]): Assigned[] => assigned.filter(({ items }) => items === undefined);

/** What is known in a function that sets this. */
const inFunction = (around: Around, sets: readonly Assigned[]): Around => ({
  ...around,
  scope: shadowing(textsOf(sets), around.scope),
  lists: listsOf(sets, around.lists),
});

type Found = Pick<Reading, 'requests' | 'passedOn'>;

/** The requests of a command, and the words by which it passes our variables on. */
function readRun(run: Run, around: Around): Found {
  const { words: given, sets, start, end, isPiped } = run;
  const { stretch, scope, settings } = around;
  const words = given.flatMap((word) => separate(word, around));
  const at = clientAt(words);
  const ask = clientOf(words[at]?.value ?? '');
  const place = { start, end };
  const isShown = isPiped !== true && harmless.test(words[0]?.value ?? '');
  const lost = listsLost({ ...run, words: isShown ? [] : given }, ask !== undefined, around);
  const othersThan = (used: readonly Text[]): PassedOn[] => {
    if (isShown) return lost;
    // A part of a word may be what was understood: `--url=…`.
    const seen = new Set(used.map((part) => part.at[0]));
    const others = words.filter((word) => !word.at.some((offset) => seen.has(offset)));
    return [...lost, ...others.flatMap((word) => passedOn(word, place, around))];
  };
  if (ask === undefined && shells.test(words[0]?.value ?? '')) {
    const inner = words.filter(({ value }) => /\b(?:curl|wget)\s/.test(value));
    const found = inner.flatMap((word) => {
      const isSplitAgain = around.isSplitAgain || isReadTwice(words.slice(0, words.indexOf(word)));
      return commandsIn(word).map((command) => readRun(understand(command), { ...around, isSplitAgain }));
    });
    if (found.length > 0) {
      return {
        requests: found.flatMap(({ requests }) => requests),
        passedOn: [...found.flatMap(({ passedOn }) => passedOn), ...othersThan(inner)],
      };
    }
  }
  if (ask === undefined) {
    const exported = sets.filter((each) => each.exported);
    const into = exported.flatMap((each) => {
      const setting = settings.get(each);
      // What a program of others is given stays.
      const within = setting?.program?.isOwn === false ? undefined : setting;
      return passedOn(each.value, place, around).map((on) => ({ ...on, within }));
    });
    return { requests: [], passedOn: [...othersThan([]), ...into] };
  }
  const requests: WrittenRequest[] = [];
  const used: Text[] = [];
  const behind = { ...around, isSplitAgain: around.isSplitAgain || mayBeSplitBehind(words.slice(0, at)) };
  for (const part of split(words.slice(at + 1))) {
    const keys: SentHeader[] = [];
    const { urls, headers, method, credentials, client, used: understood } = ask(part, (word) => readHeader(word, behind, keys, words[at]));
    used.push(...understood);
    const addresses: (Text | undefined)[] = urls.filter((word) => mayBeAddress(word, scope));
    if (addresses.length === 0 && headers.some(({ name }) => isKeyField(name.value))) addresses.push(undefined);
    const own = headers.filter((header) => !keys.some((key) => key === header));
    const asked = { start, end, client, method, headers: own, hasCredentials: credentials };
    requests.push(...addresses.map((url) => around.sourced.given(writtenRequest({ ...asked, url }, stretch, scope), keys)));
  }
  return { requests, passedOn: othersThan(used) };
}

/** @param keys what stands in other files is put there */
function readHeader(word: Text, { scope, sourced, stretch, isSplitAgain }: Around, keys: SentHeader[], client?: Text): Header | undefined {
  const found = sourced.at(word.value);
  if (found === 'several') return undefined;
  if (found === undefined) return headerOf(word, scope, { stretch, by: putInBy(stretch), isSplitAgain });
  const value = isSplitAgain || isOutsideQuotes(word) ? found.value && splitAtBlanks(found.value) : found.value;
  const sent = { ...found, value, sentAt: placeBehind(client, word, stretch) };
  keys.push(sent);
  return sent;
}

/** Another word is the value of an option that is not known here, or options that a variable holds. */
const mayBeAddress = (word: Text, scope: Scope): boolean =>
  word.value.includes('/') ||
  (referencesIn(word.value).length > 0 && !expansions(word, scope).every(({ value }) => /^(?:-|$)/.test(value)));

const clientAt = (words: readonly Text[]): number =>
  words.findIndex(({ value }, i) => clientOf(value) !== undefined && (i === 0 || /^(?:.*\/)?(?:curl|wget)$/.test(value)));

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
  return referencesIn(word.value).flatMap(({ name, start, end }) =>
    isUnderOwnName(word.value, name, start, end)
      ? []
      : {
          start: stretch.start + from,
          end: stretch.start + to,
          name,
          parts: expansions(slice(word, start, end), scope).flatMap((text) => partsIn(text, stretch)),
        },
  );
}
