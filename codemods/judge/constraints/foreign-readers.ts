/**
 * Files that the kit does not read – programs in other languages, configuration of machines – and that name a variable whose value
 * is to change. What they do with it is not known, so the variable stays; where they only pass on what is set elsewhere, a person sets it.
 */
import { isTerraform } from '../../find/kinds.ts';
import { escaped } from '../../find/words/literals.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';
import { spelledSettingsIn } from './spelled-settings.ts';

export interface ForeignUse extends VariableUse {
  /** Whether it is only given a value there that comes from elsewhere. */
  readonly isSet: boolean;
  /** Whether that is a local value of Terraform, which stands in another of its files. */
  readonly isByLocal: boolean;
}

/** @returns for each file and each of the variables the first place that is no comment */
export function foreignUsesIn(
  files: readonly string[],
  names: ReadonlySet<string>,
  textIn: (file: string) => string,
  isOpen: IsOpen,
  { v1 }: Pick<Bases, 'v1'>,
): ForeignUse[] {
  if (names.size === 0) return [];
  const ours = new RegExp(`^["']?(?:${v1.map(escaped).join('|')})(?:/v1)?/?(?:["',;)\\s]|$)`, 'i');
  const patterns = [...names].map((name) => ({ name, pattern: mentionsOf(escaped(name)), own: ownVariable(escaped(name)) }));
  const spelled = spelledSettingsIn(files, textIn);
  return files.flatMap((file) => {
    const text = textIn(file);
    const isInAnyLetters = windowsShell.test(file);
    const said = isInAnyLetters ? text.toLowerCase() : text;
    const named = patterns.filter(
      ({ name }) => said.includes(isInAnyLetters ? name.toLowerCase() : name) || text.search(spelled(file, name) ?? never) !== -1,
    );
    if (named.length === 0) return [];
    const code = withoutComments(text, file);
    const position = positionsOf(text);
    return named.flatMap(({ name, pattern, own }) => {
      // A program's own variable may be called so, too: the environment is asked for it by a text.
      const isOwn = program.test(file) && own.test(code);
      const mentions = isInAnyLetters ? inAnyLetters(name) : pattern;
      const byName = Array.from(code.matchAll(mentions), ({ index }) => useAt(code, name, index, { file, ours })).filter(
        ({ end }) => !(isOwn && !/["'\x60]/.test(code[end] ?? '')),
      );
      const bySettings = Array.from(code.matchAll(spelled(file, name) ?? never), ({ index, 0: mention }) =>
        useAt(code, mention, index, { file, ours }),
      );
      const found = [...byName, ...bySettings].filter(({ start, end }) => !isBehindMark(code, start) && isOpen({ file, start, end }));
      const use = found.find(({ isSet }) => !isSet) ?? found[0];
      return use === undefined ? [] : [{ ...use, file, ...position(use.start), name, group: undefined, needsValue: true }];
    });
  });
}

const never = /(?!)/g;

/** Windows knows a variable by its name in any letters. */
const windowsShell = /\.(?:bat|cmd|psm?1)$/i;

/** By what says there that it is a variable, as a name in other letters may be any word; in its own it counts as everywhere. */
const inAnyLetters = (name: string): RegExp =>
  new RegExp(`(?<!\\w)${escaped(name)}(?!\\w)|(?<=[%!]|\\b[eE][nN][vV]:|\\b[sS][eE][tT]\\s+"?)${anyLetters(name)}(?!\\w)`, 'g');
const anyLetters = (name: string): string =>
  name.replaceAll(/./g, (letter) => (/[a-z]/i.test(letter) ? `[${letter.toLowerCase()}${letter.toUpperCase()}]` : escaped(letter)));

const mentionsOf = (name: string): RegExp => new RegExp(`(?<!\\w)${name}(?!\\w)`, 'g');
/** `BASE = …`, `final String BASE = …`, `BASE := …` */
const ownVariable = (name: string): RegExp => new RegExp(`^[ \\t]*(?:\\w+[ \\t]+){0,4}${name}[ \\t]*:?=(?![=~])`, 'm');
const program = /\.(?:py|rb|go|rs|java|kts?|scala|groovy|cs|fs|vb|swift|dart|exs?|php|pl|r|jl|cc|cpp|c|h|hpp|m)$/i;

/** @param ours what an address of ours is known by, where it is all that a variable is set to: whoever moves the program sets it anew */
function useAt(
  code: string,
  name: string,
  start: number,
  { file, ours }: { readonly file: string; readonly ours: RegExp },
): Pick<ForeignUse, 'start' | 'end' | 'isSet' | 'isByLocal'> {
  const end = start + name.length;
  const after = code.slice(end, end + maxLine);
  const [, besideName, ownValue] = setting.exec(after) ?? [];
  const value = isParameter(code.slice(Math.max(0, start - maxLine), start), after)
    ? (kept.exec(after)?.[1] ?? '')
    : (besideName ?? ownValue);
  const isSet = value !== undefined && !value.includes(name) && (!value.includes('://') || ours.test(value));
  const isBySetter = value !== undefined && ours.test(value) && isInSetter(file, code, { start, after });
  const isByLocal = isTerraform(file) && /^(?:"\$\{)?local\./.test(value ?? '');
  return { start, end, isSet: (configuration.test(file) && isSet) || isBySetter, isByLocal };
}

/** `NAME = value`, and `{ name: 'NAME', value: 'value' }`, in one line or two; bindings of Workers have `text` for it. */
const setting = /^["']?[\s,]*(?:value|text)["']?\s*[:=]\s*(.*)|^["']?[^\S\n]*(?:=(?!=)|:|[^\S\n])[^\S\n]*(.*)/;

/** `name = "/texts/API_URL"`: what a store keeps under a path, and gives to whoever asks for that. */
const isParameter = (before: string, after: string): boolean => /["']\/[\w./-]*\/$/.test(before) && /^["']/.test(after);
const kept = /^["'][^{}]*?^\s*value\s*=[^\S\n]*(.*)/m;

/** What gives variables to programs, and does nothing else with them. */
const configuration =
  /\.(?:tf|tfvars|hcl|bicep|bicepparam|nix|nomad|properties|ini|cfg|conf|cnf|plist|service|j2|jinja2?|erb|tpl|tmpl|gotmpl|template)$/i;

/** What scripts of other shells, and what an editor runs programs with, set a variable by: they may also read it, elsewhere in the file. */
const setters: readonly { readonly of: RegExp; readonly before: RegExp; readonly behind: RegExp }[] = [
  { of: /\.(?:bat|cmd)$/i, before: /^[ \t]*@?set[ \t]+"?$/i, behind: /^=/ },
  { of: /\.psm?1$/i, before: /^[ \t]*\$env:$/i, behind: /^[ \t]*=(?!=)/ },
  { of: /\.fish$/i, before: /^[ \t]*set(?:[ \t]+-{1,2}[a-zA-Z]+)+[ \t]+$/, behind: /^[ \t]/ },
  { of: /\.xml$/i, before: /<env\s+name=["']$/, behind: /^["']\s+value=/ },
];

/** Whether it stands in a command that sets it, for the programs that are started from there. */
function isInSetter(file: string, code: string, { start, after }: { readonly start: number; readonly after: string }): boolean {
  const line = code.slice(Math.max(code.lastIndexOf('\n', start - 1) + 1, start - maxLine), start);
  return setters.some(({ of, before, behind }) => of.test(file) && before.test(line) && behind.test(after));
}

/** As long as it was, without what begins a line as a comment: that is one in all of these languages. */
export const withoutComments = (text: string, file: string): string =>
  text
    .replaceAll(/^[ \t]*(?:\/\*[^]*?\*\/|<!--[^]*?-->)/gm, blank)
    .replaceAll(file.endsWith('.py') ? /^[ \t]*[rRuU]?("""|''')[^]*?\1/gm : /^=begin\b[^]*?^=end\b/gm, blank)
    .replaceAll(/^[ \t]*(?:#(?!define|if|elif)|\/\/|\*(?=[\s/]|$)|--|;|%|::|@?rem\b).*$/gim, blank);

const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ');

/** Whether a comment begins before it on its line, in no text. */
export function isBehindMark(code: string, start: number): boolean {
  const line = code.slice(Math.max(code.lastIndexOf('\n', start - 1) + 1, start - maxLine), start);
  const before = line.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '');
  return !/["'`]/.test(before) && /[ \t](?:#|\/\/|--)[ \t]/.test(before);
}

/** Characters of a line that are looked at. */
const maxLine = 1_000;
