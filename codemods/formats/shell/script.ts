/** Shell scripts, Dockerfiles and Makefiles: the requests of their commands and the variables they set. */
import { type Draft, type Header, isKeyField } from '../candidate-edit.ts';
import type { Bases } from '../../verdict/routes.ts';
import type { Reading } from '../reading.ts';
import { draftRequest } from '../request.ts';
import { draftSetting, envOf } from '../setting.ts';
import { type Place, type Text, join, placesOf, slice } from '../text.ts';
import { type Definition, expand, referencesIn, scopeOf } from '../variables.ts';
import type { World } from '../ownership.ts';
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
interface Run extends Place {
  readonly words: readonly Text[];
  readonly sets: readonly Assigned[];
}

/**
 * Reads a script.
 * @param outer variables that are set around it, such as those of a workflow
 */
export function readScript(source: string, script: Text, bases: Bases, outer: readonly Definition[] = []): Reading {
  const runs = commandsIn(script).map(understand);
  return readRuns(source, runs, bases, outer);
}

/** The variables that a script sets. */
export function definitionsOf(script: Text): Definition[] {
  return commandsIn(script).flatMap((command) => understand(command).sets.filter(({ items }) => items === undefined));
}

/** Reads one command that is given as a list of words. */
export function readCommand(source: string, words: readonly Text[], place: Place, bases: Bases, outer: readonly Definition[]): Reading {
  return readRuns(source, [{ ...place, words, sets: [] }], bases, outer);
}

function readRuns(source: string, runs: readonly Run[], bases: Bases, outer: readonly Definition[]): Reading {
  const assigned = runs.flatMap(({ sets }) => sets);
  const arrays = new Map(assigned.flatMap(({ name, items }) => (items === undefined ? [] : [[name, items.map(({ text }) => text)]])));
  const definitions = assigned.filter(({ items }) => items === undefined);
  const world = { source, bases, scope: scopeOf([...outer, ...definitions]) };
  const settings = definitions
    .filter(({ exported }) => exported)
    .map(({ name, value }) => ({ name, draft: draftSetting(value, world, name) }));
  return {
    drafts: [...settings.flatMap(({ draft }) => draft ?? []), ...runs.flatMap((run) => draftsOf(run, arrays, world))],
    envs: settings.flatMap(({ name, draft }) => envOf(name, draft)),
  };
}

function understand({ words, start, end }: Command): Run {
  const [first, second, third] = words;
  const name = first?.text.value ?? '';
  if (second !== undefined && third !== undefined && makeSign.test(second.text.value) && /^\w+$/.test(name))
    return { start, end, words: [], sets: [{ name, value: third.text, exported: false }] };
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

/** The requests of a command, and the words by which it passes our variables on. */
function draftsOf({ words: given, sets, start, end }: Run, arrays: ReadonlyMap<string, readonly Text[]>, world: World): Draft[] {
  const words = given.flatMap((word) => arrays.get(/^\$\{(\w+)\[[@*]\]\}$/.exec(word.value)?.[1] ?? '') ?? [word]);
  const at = words.findIndex(({ value }, i) => clientOf(value) !== undefined && (i === 0 || /^(?:.*\/)?(?:curl|wget)$/.test(value)));
  const ask = clientOf(words[at]?.value ?? '');
  const place = { start, end };
  // A part of a word may be what was understood: `--url=…`.
  const others = (used: readonly Text[]): Draft[] =>
    harmless.test(words[0]?.value ?? '')
      ? []
      : words.filter(({ at }) => !used.some((part) => at.includes(part.at[0] ?? -1))).flatMap((word) => passedOn(word, place, world));
  if (ask === undefined && shells.test(words[0]?.value ?? '')) {
    const inner = words.filter(({ value }) => /\b(?:curl|wget)\s/.test(value));
    const runs = inner.flatMap((word) => commandsIn(word).map(understand));
    if (runs.length > 0) return [...runs.flatMap((run) => draftsOf(run, arrays, world)), ...others(inner)];
  }
  if (ask === undefined)
    return [
      ...others([]),
      ...sets.flatMap(({ value, exported }) =>
        exported && draftSetting(value, world)?.stance !== 'ours' ? passedOn(value, place, world) : [],
      ),
    ];
  const drafts: Draft[] = [];
  const used: Text[] = [];
  for (const part of split(words.slice(at + 1))) {
    const { urls, headers, method, credentials, client, used: understood } = ask(part, (word) => headerOf(word, world));
    used.push(...understood);
    const places = headers.filter(({ name }) => isKeyField(name.value)).flatMap(({ name }) => placesOf(name));
    // A word that cannot be a URL is the value of an option that is not known here.
    const addresses = urls.filter(({ value }) => value.includes('/') || referencesIn(value).length > 0);
    for (const url of addresses) {
      drafts.push(draftRequest({ start, end, client, url, method, headers, credentials, keyless: false }, world));
    }
    if (addresses.length === 0 && places.length > 0)
      drafts.push({
        ...place,
        edits: [],
        reads: places,
        literals: places,
        stance: 'ours',
        problem: { code: 'base-not-proven', at: place, detail: {} },
      });
  }
  return [...drafts, ...others(used)];
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

/** Our variables in a word go where nobody can see what becomes of them. */
function passedOn(word: Text, place: Place, world: World): Draft[] {
  return referencesIn(word.value)
    .filter(({ name }) => world.scope.has(name))
    .map(({ name, start, end }) => {
      const { read } = expand(slice(word, start, end), world.scope);
      const definitions = read.length > 0 ? read : (world.scope.get(name) ?? []);
      const problem = { code: 'escapes', at: place, detail: { name } } as const;
      return {
        ...place,
        edits: [],
        reads: definitions.flatMap(({ value }) => placesOf(value)),
        literals: [],
        stance: 'bystander',
        problem,
      };
    });
}

/** `name: value`; variables are only put in until the name is seen, so that the key is changed where it is sent. */
function headerOf(word: Text, { scope }: World): Header | undefined {
  let text = word;
  for (let depth = 0; depth < 5; depth++) {
    const colon = /^\s*[\w-]+\s*:/.exec(text.value)?.[0].length;
    if (colon !== undefined) {
      const blank = /^\s*/.exec(text.value.slice(colon))?.[0].length ?? 0;
      return { name: slice(text, 0, colon - 1), value: slice(text, colon + blank) };
    }
    const [reference] = referencesIn(text.value);
    if (reference?.start !== 0) return undefined;
    const inner = expand(
      slice(text, 0, reference.end),
      scope,
      [...scope.keys()].filter((name) => name !== reference.name),
    );
    if (inner.read.length === 0) return undefined;
    text = join(inner.text, slice(text, reference.end));
  }
  return undefined;
}
