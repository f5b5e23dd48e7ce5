/**
 * Pipelines of Jenkins: https://www.jenkins.io/doc/book/pipeline/syntax/. What `sh` runs is read as a script of its own, with what `environment`, `withEnv` and
 * `env.NAME = …` give to all of them, and with variables of Groovy that are one text. Whatever else is done with a variable is not seen.
 */
import { type Groovy, type GroovyText, expressionsIn, groovyIn, placeholderOf } from './groovy-texts.ts';
import { type Setters, isWhole, settersIn } from './groovy-variables.ts';
import { type PassedOn, type Reading, type Stretch, merge } from './reading.ts';
import { givenBy } from './shell/given.ts';
import { type Run, understand } from './shell/runs.ts';
import { readScripts } from './shell/script.ts';
import { commandsIn } from './shell/words.ts';
import { type TextRange, coverOf } from './text.ts';
import { type Scope, expansions, scopeOf } from './variables.ts';
import { partsIn, settingOf } from './written.ts';

export function readPipeline(stretch: Stretch): Reading {
  const read = groovyIn(stretch.text);
  const groovy = read ?? { code: stretch.text, texts: [] };
  const setters = settersIn(read ?? { code: '', texts: [] });
  const { given, variables, places } = setters;
  const scope = scopeOf([...given, ...variables]);
  const texts = behind(groovy, step).filter(({ inner }) => !ofOther.test(inner));
  const scripts = texts.map((text) => setters.valueOf(text));
  const exported = given.map((each) => ({ ...each, exported: true, isLocal: false }));
  const exporting: Run = { start: -1, end: 0, words: [], sets: exported, within: undefined, isGiven: false };
  const commands = scripts.flatMap((script) => commandsIn(script).map(understand));
  const { programs, passedOn } = givenBy([exporting, ...commands], stretch, scope);
  const settings = exported.flatMap(
    (each) => settingOf(each.value, stretch, scope, { name: each.name, program: programs.get(each) }) ?? [],
  );
  const seen = [...texts, ...places, ...behind(groovy, shown)];
  return merge([
    { settings, passedOn: [...passedOn, ...namesIn(groovy, setters, seen).flatMap((name) => lostAt(name, stretch, scope))] },
    ...scripts.map((script) => readScripts([script], stretch, scope)),
  ]);
}

const options = String.raw`(?:\w+\s*:\s*(?:'[^']*'|\w+)\s*,\s*)*`;
const step = new RegExp(String.raw`(?<![\w.$])sh\b[ \t]*\(?\s*\[?\s*${options}(?:script\s*:\s*)?(?=')`, 'g');
/** What people are shown. */
const shown = /(?<![\w.$])(?:echo|println|error)\b[ \t]*\(?[ \t]*(?:message\s*:\s*)?(?=')/g;
/** An interpreter that is no shell. */
const ofOther = /^#!(?![^\n]*\b(?:ba|z|da|k)?sh\b)/;

/** The texts that steps are given, each all that is. */
function behind({ code, texts }: Groovy, before: RegExp): GroovyText[] {
  const byStart = new Map(texts.map((text) => [text.start, text]));
  return Array.from(code.matchAll(before), ({ index, 0: found }) => byStart.get(index + found.length) ?? [])
    .flat()
    .filter(({ end }) => isWhole(code, end));
}

interface Name extends TextRange {
  readonly name: string;
  /** What it is called in texts. */
  readonly variable: string;
}

/** Names in code and texts of which is not seen what is done with them. */
function namesIn({ code, texts }: Groovy, { variableOf }: Setters, seen: readonly TextRange[]): Name[] {
  const isSeen = coverOf(seen);
  const inCode = Array.from(code.matchAll(/(?<![\w$])[A-Za-z_]\w*/g), ({ index: start, 0: name }): Name[] => {
    const before = code.slice(Math.max(0, start - maxLine), start);
    const end = start + name.length;
    const isKey = /^\s*:(?!:)/.test(code.slice(end, end + maxLine)) && !/\?[^\n]*$/.test(before);
    const isOfEnvironment = /\benv\.$/.test(before);
    if (isKey || isSeen({ start, end }) || (before.endsWith('.') && !isOfEnvironment)) return [];
    const variable = variableOf(isOfEnvironment ? `env.${name}` : name);
    return variable === undefined ? [] : [{ name, variable, start, end }];
  });
  const inTexts = texts.flatMap((text) =>
    // Of what is read, what is made of a variable before it is put in.
    (isSeen(text) ? expressionsIn(text) : [{ value: text.inner, at: text.innerStart }]).flatMap(({ value, at }) =>
      Array.from(value.matchAll(/(?<!\w)[A-Za-z_]\w*/g), ({ index, 0: name }): Name[] => {
        const start = at + index;
        const variables = new Set([name, variableOf(name) ?? name]);
        return [...variables].map((variable) => ({ name, variable, start, end: start + name.length }));
      }).flat(),
    ),
  );
  return [...inCode.flat(), ...inTexts];
}

/** Characters of a line that are looked at. */
const maxLine = 200;

function lostAt({ name, variable, start, end }: Name, stretch: Stretch, scope: Scope): PassedOn[] {
  if (!scope.has(variable) && !/^[A-Z][A-Z\d_]+$/.test(variable)) return [];
  const parts = expansions(placeholderOf(variable, { start, end }), scope).flatMap((text) => partsIn(text, stretch));
  return [{ start: stretch.start + start, end: stretch.start + end, name, parts }];
}
