/**
 * Justfiles: https://just.systems/man/en/. A recipe is a script, or one a line, in which `{{name}}` is a variable of the file, and not one of the environment
 * unless it is exported. What is made of a variable otherwise is not seen.
 */
import { type JustVariables, variablesIn, withVariables } from './just-variables.ts';
import { type PassedOn, type Reading, type Stretch, merge } from './reading.ts';
import { givenBy } from './shell/given.ts';
import { groupOf } from './shell/included.ts';
import { type Run, understand } from './shell/runs.ts';
import { readScripts } from './shell/script.ts';
import type { Script } from './shell/sourced.ts';
import { commandsIn } from './shell/words.ts';
import { type Text, type TextRange, standingFor } from './text.ts';
import { type Scope, expansions, scopeOf, shadowing } from './variables.ts';
import { partsIn, settingOf } from './written.ts';

export const isJustfile = (file: string): boolean => /(?:^|\/)\.?justfile$|\.just$/i.test(file);

interface Recipe {
  /** Its name, parameters and what it needs. */
  readonly header: TextRange;
  readonly parameters: readonly string[];
  /** Each run by a shell of its own. */
  readonly scripts: readonly TextRange[];
  /** What something else than a shell runs. */
  readonly unread: readonly TextRange[];
}

/** @param others files of its kind, among which may be those that it is read as one with */
export function readJustfile(stretch: Stretch, others: readonly Script[] = []): Reading {
  const { text } = stretch;
  const group = groupOf(stretch.source, others);
  const prefix = group === undefined ? 'just.' : `just.${group}.`;
  const variables = variablesIn(text, prefix);
  const scope = scopeOf([...variables.own, ...variables.exported]);
  const recipes = recipesIn(text);
  const scripts = recipes.flatMap(({ scripts: places, parameters }) =>
    places.map((place) => ({
      ...withVariables(text, place, prefix),
      scope: shadowing(
        parameters.flatMap((name) => unknown(name, prefix)),
        scope,
      ),
    })),
  );
  const exported = variables.exported.map((each) => ({ ...each, exported: true, isLocal: false }));
  const exporting: Run = { start: -1, end: 0, words: [], sets: exported, within: undefined, isGiven: false };
  const commands = scripts.flatMap(({ script }) => commandsIn(script).map(understand));
  const { programs, passedOn } = givenBy([exporting, ...commands], stretch, scope);
  const settings = exported.flatMap(
    (each) => settingOf(each.value, stretch, scope, { name: each.name, program: programs.get(each) }) ?? [],
  );
  const isShared = group !== undefined;
  const shared = isShared ? variables.own.flatMap(({ name, value }) => settingOf(value, stretch, scope, { name }) ?? []) : [];
  const lost = [
    ...variables.unread,
    ...recipes.flatMap(({ header, unread }) => [header, ...unread]),
    ...scripts.flatMap(({ expressions }) => expressions),
  ];
  return merge([
    {
      settings: [...settings, ...shared],
      passedOn: [...passedOn, ...lost.flatMap((place) => lostIn(place, variables, { stretch, scope, prefix, isShared }))],
    },
    ...scripts.map(({ script, scope: inner }) => readScripts([script], stretch, inner)),
  ]);
}

/** A parameter may be anything, whatever is called so outside. */
const unknown = (name: string, prefix: string): { name: string; value: Text }[] =>
  [name, prefix + name].map((each) => ({ name: each, value: standingFor('<just>', { start: Number.NaN, end: Number.NaN }) }));

const header = /^(?<name>@?[A-Za-z_][\w-]*)(?<rest>(?:[ \t](?:[^:'"\n]|'[^'\n]*'|"[^"\n]*")*)?):(?!=).*$/gm;
const parameter = /(?<=^|[\s*+$])([A-Za-z_][\w-]*)/g;
const shell = /^#!.*\b(?:ba|z|da|k)?sh\b/;
/** An attribute, behind which others may stand, says that something else runs it. */
const byOther = /^\[[^\n]*\bscript\b(?!\(\s*["'](?:ba|z|da)?sh["'])[^\n]*\](?:\r?\n\[[^\n]*\])*\r?\n$/m;
const maxAttributes = 300;
/** What runs the lines is a shell by default. */
const otherShell = /^set[ \t]+(?:shell|script-interpreter)[ \t]*:=[ \t]*\[[ \t]*["'](?!(?:[^"']*\/)?(?:ba|z|da)?sh["'])/m;

function recipesIn(text: string): Recipe[] {
  const isOther = otherShell.test(text);
  return Array.from(text.matchAll(header), ({ index: start, 0: line, groups }): Recipe => {
    const end = start + line.length;
    const [body = ''] = /^(?:\r?\n(?:[ \t]+[^\n]*|[ \t]*(?=\r?\n|$)))*/.exec(text.slice(end)) ?? [];
    const parameters = Array.from(
      (groups?.['rest'] ?? '').replaceAll(/"[^"]*"|'[^']*'|=\s*\w+/g, ' ').matchAll(parameter),
      ([, name = '']) => name,
    );
    const place = { start: end, end: end + body.length };
    const first = body.trimStart();
    const recipe = { header: { start: start + (groups?.['name'] ?? '').length, end }, parameters };
    if (first.startsWith('#!'))
      return shell.test(first) ? { ...recipe, scripts: [place], unread: [] } : { ...recipe, scripts: [], unread: [place] };
    if (isOther || byOther.test(text.slice(Math.max(0, start - maxAttributes), start))) return { ...recipe, scripts: [], unread: [place] };
    const scripts = Array.from(body.matchAll(/(?:\\\r?\n|[^\n])+/g), ({ index, 0: command }) => ({
      start: end + index,
      end: end + index + command.length,
    }));
    return { ...recipe, scripts, unread: [] };
  });
}

interface Around {
  readonly stretch: Stretch;
  readonly scope: Scope;
  /** What stands before the names of variables. */
  readonly prefix: string;
  /** Whether a name may be that of a variable in another file. */
  readonly isShared: boolean;
}

/** Variables that are named in an expression, or in what is not read. */
function lostIn({ start, end }: TextRange, { own }: JustVariables, { stretch, scope, prefix, isShared }: Around): PassedOn[] {
  const names = new Set(own.map(({ name }) => name));
  return Array.from(stretch.text.slice(start, end).matchAll(/(?<![\w-])[A-Za-z_][\w-]*/g), ({ index, 0: name }): PassedOn[] => {
    const place = { start: start + index, end: start + index + name.length };
    const called = [...(isShared || names.has(prefix + name) ? [prefix + name] : []), ...(/^[A-Z][A-Z\d_]+$/.test(name) ? [name] : [])];
    const parts = called.flatMap((each) => expansions(standingFor(`{{${each}}}`, place), scope)).flatMap((text) => partsIn(text, stretch));
    return parts.length === 0 ? [] : [{ start: stretch.start + place.start, end: stretch.start + place.end, name, parts }];
  }).flat();
}
