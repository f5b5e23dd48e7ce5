/** What the commands of a script set and run. */
import { type TextRange, type Text, slice, standingFor } from '../text.ts';
import { type Definition, referencesIn } from '../variables.ts';
import type { Command, Word } from './words.ts';

const assignment = /^[A-Za-z_]\w*\+?=/;
/** Make sets variables with blanks around the sign. */
const makeSign = /^(?:=|:=|::=|\?=|\+=)$/;
const declares = /^(?:export|readonly|local|declare|typeset|ENV|ARG)$/;
const locals = /^(?:local|declare|typeset)$/;
const exports = /^(?:export|ENV|ARG)$/;
/** What may stand before the command; `$(shell command)` is how Make has one. */
const passing =
  /^(?:if|then|elif|else|do|while|until|!|time|sudo|exec|command|nohup|env|shell|npx|cross-env(?:-shell)?|RUN|CMD|ENTRYPOINT|HEALTHCHECK|\{|\$|>|--?[\w-]+(?:=.*)?)$/;

/** Tools that a program is started with in an environment of its own. */
const giving = /^cross-env/;

/**
 * A runner of tests that is given variables in one word, which it knows by a name of their own in the environment, too: `npx cypress run --env url=…,key=…`.
 * A container that is called so is given others.
 */
const listing = /^(?!.*\b(?:docker|podman)\b)(?:.* )?(?:\S*\/)?cypress (?:run|open)(?: |$)/;

/** What starts containers, or builds images. */
const containers = /^(?:docker|docker-compose|podman|nerdctl|buildah|kubectl)$/;
/** `${DOCKER:-docker}`, `$(CONTAINER_ENGINE)` of Make. */
const containersPut = /^\$[({]?(?:(?:docker|podman)(?:_(?:cmd|bin))?|container_(?:engine|runtime|tool|cmd))\b[^/]*$/i;

/** The tool for containers that a word is. */
export function containerTool(word: string | undefined): string | undefined {
  const name = word?.replace(/^@/, '') ?? '';
  return containers.test(name) ? name : containersPut.test(name) ? 'docker' : undefined;
}

/** `-e NAME`, `-ite NAME`, and glued to it `-eNAME`. */
const givesNext = /^(?:-[ditP]*e|--env|--build-arg)$/;

/** `--env=NAME`, `--env=NAME=value` */
const optionValueOf = ({ text }: Word): Word[] => {
  const own = /^(?:--env=|--build-arg=|-[ditP]*e=?(?=[A-Z_]))/.exec(text.value)?.[0].length;
  return own === undefined ? [] : [{ text: slice(text, own) }];
};

/** `docker run -e NAME` gives a container what `-e NAME=$NAME` does. */
const takenAsItIs = ({ text }: Word): Assigned[] =>
  /^[A-Za-z_]\w*$/.test(text.value)
    ? [
        {
          name: text.value,
          value: standingFor(`\${${text.value}}`, { start: text.at[0] ?? Number.NaN, end: (text.at.at(-1) ?? Number.NaN) + 1 }),
          exported: true,
          isLocal: false,
        },
      ]
    : [];

/** What its variables are called in the environment. */
export const listedPrefix = 'CYPRESS_';

export interface Assigned extends Definition {
  readonly exported: boolean;
  /** Whether it counts in its function alone. */
  readonly isLocal: boolean;
  /** The words of a list, or of a variable of Make that holds several. */
  readonly items?: readonly Text[] | undefined;
  /** Whether they come after those that are there. */
  readonly isAppended?: boolean;
}

/** A command without what it sets. */
export interface Run extends TextRange {
  readonly words: readonly Text[];
  readonly sets: readonly Assigned[];
  /** The function that it is in. */
  readonly within: string | undefined;
  /** Whether a tool gives what is set to the command alone: `cross-env NAME=value command`. */
  readonly isGiven: boolean;
  /** Whether another makes something of what it prints. */
  readonly isPiped?: boolean;
  /** What it declares for the function that it is in, with a value or without. */
  readonly declares?: readonly string[];
  /** What it exports that is set elsewhere: `export NAME`; all that is, where it names nothing. */
  readonly exports?: readonly string[] | 'all' | undefined;
}

export function understand({ words: written, start, end, within, isPiped }: Command): Run {
  // The prompt of a session.
  const words = written[0]?.text.value === '$' ? written.slice(1) : written;
  const place = { start, end, within, isGiven: false, isPiped };
  const name = words[0]?.text.value ?? '';
  const made = setByMake(words) ?? setForTarget(words) ?? (declares.test(name) ? setBy(name, words) : undefined);
  if (made !== undefined) return { ...place, words: [], sets: made, declares: declaredBy(words), exports: exportedBy(words) };
  const until = words.findIndex(({ text }) => !assignment.test(text.value) && !passing.test(text.value));
  const head = until === -1 ? words : words.slice(0, until);
  const rest = until === -1 ? [] : words.slice(until);
  // A variable set before a command is in that command's environment, as is what `docker run -e` is given.
  const isContainers = containerTool(rest[0]?.text.value) !== undefined;
  const passed = passedBy(rest, isContainers);
  const sets = [
    ...head.flatMap((word) => assignedBy(word, rest.length > 0)),
    ...(listing.test(rest.map(({ text }) => text.value).join(' ')) ? setByList(rest) : passed.flatMap((word) => assignedBy(word, true))),
    ...(isContainers ? passed.flatMap(takenAsItIs) : []),
    ...(name === ':' ? rest.flatMap(({ text }) => setByDefault(text)) : []),
  ];
  return { ...place, words: rest.map(({ text }) => text), sets, isGiven: head.some(({ text }) => giving.test(text.value)) };
}

/** `export NAME`, `export` of Make alone, and its `export $(shell sed … .env)`, whose names are those of a file. */
function exportedBy([declaring, ...words]: readonly Word[]): Run['exports'] {
  if (declaring?.text.value !== 'export' || words.some(({ text }) => text.value.startsWith('-'))) return undefined;
  return words.length === 0 || words[0]?.text.value.startsWith('$(shell ') === true
    ? 'all'
    : words.flatMap(({ text }) => (/^[A-Za-z_]\w*$/.test(text.value) ? text.value : []));
}

/** What options give a command. */
const passedBy = (words: readonly Word[], isContainers: boolean): Word[] => [
  ...words.filter((_, i) => (isContainers ? givesNext : /^(?:-e|--env|--build-arg)$/).test(words[i - 1]?.text.value ?? '')),
  ...(isContainers ? words.flatMap(optionValueOf) : []),
];

/** A container whose options stand in variables and lists is given what it would be by the options themselves. */
export function withOptions(run: Run, separate: (word: Text) => readonly Text[]): Run {
  if (containerTool(run.words[0]?.value) === undefined || !run.words.some(({ value }, i) => i > 0 && value.startsWith('$'))) return run;
  const words = run.words.flatMap((word, i) => (i === 0 ? word : separate(word)));
  if (words.length === run.words.length) return run;
  const known = new Set(run.sets.map(({ name }) => name));
  const passed = passedBy(
    words.map((text) => ({ text })),
    true,
  );
  const sets = passed.flatMap((word) => [...assignedBy(word, true), ...takenAsItIs(word)]);
  return { ...run, words, sets: [...run.sets, ...sets.filter(({ name }) => !known.has(name))] };
}

/** `local a b=1`; with `-g`, it is the script's. */
function declaredBy([declaring, ...words]: readonly Word[]): string[] {
  if (!locals.test(declaring?.text.value ?? '') || words.some(isGlobal)) return [];
  return words.flatMap(({ text }) => /^[A-Za-z_]\w*/.exec(text.value)?.[0] ?? []);
}

const isGlobal = ({ text }: Word): boolean => /^-\w*g/.test(text.value);

/** `--env url=…,key=…`, `--env=url=…`: the last one counts of several, of which each may be the one that is run. */
function setByList(words: readonly Word[]): Assigned[] {
  const given = words.flatMap(({ text }, i) => {
    const own = /^(?:-e|--env)=/.exec(text.value)?.[0].length;
    if (own !== undefined) return [slice(text, own)];
    return /^(?:-e|--env)$/.test(words[i - 1]?.text.value ?? '') ? [text] : [];
  });
  return given.flatMap((text) =>
    Array.from(text.value.matchAll(/(?:^|,)(\w+)=([^,]*)/g), ({ 0: found, 1: name = '', 2: value = '', index }): Assigned => {
      const end = index + found.length;
      return { name: listedPrefix + name, value: slice(text, end - value.length, end), exported: true, isLocal: false };
    }),
  );
}

/** `NAME := value` of a Makefile, which may hold words of a command. */
function setByMake(words: readonly Word[], exported = false): Assigned[] | undefined {
  const [first, sign, value, ...more] = words;
  if (first === undefined || sign === undefined || value === undefined) return undefined;
  if (!makeSign.test(sign.text.value) || !/^\w+$/.test(first.text.value)) return undefined;
  const items = more.length === 0 ? undefined : [value, ...more].map(({ text }) => text);
  const isDefault = sign.text.value === '?=';
  return [{ name: first.text.value, value: value.text, exported, isLocal: false, isDefault, items, isAppended: sign.text.value === '+=' }];
}

/** `target: NAME = value`, which counts for one target and what it needs. */
function setForTarget(words: readonly Word[]): Assigned[] | undefined {
  const at = words.findIndex(({ text }) => /[\w%)}]:$/.test(text.value));
  const rest = at === -1 ? [] : words.slice(at + 1).filter(({ text }, index) => index > 0 || text.value !== 'export');
  const [only, ...more] = rest;
  const made = setByMake(rest) ?? (only === undefined || more.length > 0 ? [] : assignedBy(only, false));
  return made.length === 0 ? undefined : made;
}

function setBy(declaring: string, words: readonly Word[]): Assigned[] {
  const [, name, value] = words;
  const exported = exports.test(declaring);
  const made = setByMake(words.slice(1), exported);
  if (made !== undefined) return made;
  if (declaring === 'ENV' && name !== undefined && value !== undefined && /^\w+$/.test(name.text.value))
    return [{ name: name.text.value, value: value.text, exported, isLocal: false }];
  return words.slice(1).flatMap((word) => assignedBy(word, exported, locals.test(declaring) && !words.some(isGlobal)));
}

/** `: "${NAME:=value}"` */
const setByDefault = (text: Text): Assigned[] =>
  referencesIn(text.value).flatMap(({ name, fallback }) =>
    fallback !== undefined && text.value.charAt(fallback.start - 1) === '='
      ? [{ name, value: slice(text, fallback.start, fallback.end), exported: false, isLocal: false, isDefault: true }]
      : [],
  );

function assignedBy({ text, items }: Word, exported: boolean, isLocal = false): Assigned[] {
  const sign = assignment.exec(text.value)?.[0];
  if (sign === undefined) return [];
  const name = sign.replace(/\+?=$/, '');
  const words = items?.map((item) => item.text);
  return [{ name, value: slice(text, sign.length), exported, isLocal, items: words, isAppended: sign.endsWith('+=') }];
}
