/**
 * What files of the project give to its own programs in the place of our base by default: options, `node sync.mjs --api-url https://staging.example.dev/v1`,
 * inputs of its own actions, and files of settings, of which nobody knows what becomes: those that it reads, and for what a package holds, any of them that
 * have our base under the same name.
 */
import { posix } from 'node:path';
import { isLocal } from '../../verdict/bases/hosts.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import { inputOf } from '../../find/words/action-inputs.ts';
import { isTemplate } from '../../find/packages/production-files.ts';
import { escaped } from '../../find/words/literals.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { Member } from './between-components.ts';

type Given = readonly [
  files: readonly string[],
  members: readonly Pick<Member, 'variables'>[],
  bases: Bases,
  textIn: (file: string) => string,
];

/** @returns the first place of each file that may put another address in the place of one that would move with its default */
export const optionsSetIn = (...given: Given): VariableUse[] => placesIn(given, (file) => !isTemplate(file));

/** @returns where samples of settings still have the version of v1: who runs the program has a copy, and gets the new default without it */
export const samplesIn = (...given: Given): VariableUse[] => placesIn(given, isTemplate, versionAlone);

const versionAlone = /(?<=["'\s=:/])v1(?=["'\s/]|$)/gi;

function placesIn([files, members, bases, textIn]: Given, isAsked: (file: string) => boolean, sought?: RegExp): VariableUse[] {
  const moving = members.flatMap(({ variables }) => variables.filter(({ group }) => group !== undefined));
  const uses = [...new Map(moving.map((use) => [use.name, use])).values()];
  const settings = uses.flatMap((use) => settingsOf(use, textIn));
  const held = Map.groupBy(sought === undefined ? uses : [], ({ setting = '' }) => setting.toLowerCase());
  held.delete('');
  if (settings.length === 0 && held.size === 0) return [];
  const ours = new Set(bases.v1.map((base) => new URL(base).hostname));
  // Not every file of settings has a name that is looked for.
  const all = new Set([...files, ...settings.flatMap(({ ofFile }) => ofFile ?? [])]);
  return [...all].filter(isAsked).flatMap((file) => {
    const text = textIn(file);
    const place = ({ name, isGiven = false }: Pick<VariableUse, 'name' | 'isGiven'>, found: RegExpExecArray): VariableUse => {
      const { index: start } = found;
      const end = start + found[0].length;
      return { file, start, end, ...positionsOf(text)(start), name, group: undefined, needsValue: true, isGiven, isOther: true };
    };
    const given = settings.flatMap((each) => {
      const { ofFile, where, known, pattern } = each;
      if (!where.test(ofFile === undefined ? text : file) || known?.includes(posix.basename(file)) === true) return [];
      if (sought !== undefined && ofFile === undefined) return [];
      const found = Array.from(text.matchAll(sought ?? pattern)).find(
        // Our own address is only a reason to stay in the files that a program reads, and that of a developer's machine in none.
        ([, host]) => host === undefined || (ours.has(host.toLowerCase()) ? ofFile !== undefined : !isLocal(host.toLowerCase())),
      );
      return found === undefined ? [] : [place(each, found)];
    });
    const under = held.size === 0 || !mayBeSettings.test(file) ? [] : Array.from(text.matchAll(named));
    const configured = held.size === 0 || !isOfFramework.test(file) ? [] : Array.from(text.matchAll(configuring));
    return [
      ...given,
      ...configured.flatMap((found) => {
        const [, name = '', host = ''] = found;
        if (ours.has(host.toLowerCase()) || isLocal(host.toLowerCase())) return [];
        const uses = (held.get(name.toLowerCase()) ?? []).filter((use) => isAbout(use.name, text.slice(0, found.index)));
        return uses.map((use) => place(use, found));
      }),
      ...under.flatMap((found) => {
        const [, name = '', host = ''] = found;
        return ours.has(host.toLowerCase()) ? (held.get(name.toLowerCase()) ?? []).map((use) => place(use, found)) : [];
      }),
    ];
  });
}

/** How files give something its value. */
interface Setting extends Pick<VariableUse, 'name' | 'isGiven'> {
  /** The name of the file that it is read from: any address in it counts. */
  readonly ofFile?: string;
  /** What a file holds, or is called, that may give it; not one of those whose names this text has, as what these hold is known. */
  readonly where: RegExp;
  readonly known?: string;
  readonly pattern: RegExp;
}

const host = String.raw`https?://([\w.-]+)`;
/** Files of tools are no settings of a program. */
const ofTools = String.raw`(?!(?:package|package-lock|composer|[tj]sconfig[\w.-]*)\.json$)`;
/** An address, or a version by itself. */
const setting = new RegExp(String.raw`${host}|["'\s=:]/?v1/?(?=["'\s]|$)`, 'gi');

/** Files of settings that a package may read, scripts among them; those of tests are none. */
const mayBeSettings = new RegExp(String.raw`^(?!(?:.*/)?(?:__)?(?:tests?|fixtures|mocks)(?:__)?/)(?:.*/)?${ofTools}[^/]*$`);
/** Our base under a name. */
const named = new RegExp(String.raw`(?<!\w)(\w+)["']?\s*[:=]\s*["'\x60]?${host}[^\s"'\x60,]*/v1(?![\w.-])`, 'gi');

/** Where frameworks have what they give a program as its settings: `config/plugins.js` of Strapi, `config/production.json`. */
const isOfFramework = /(?:^|\/)config\/(?:[\w.-]+\/)*[\w.-]+\.(?:[cm]?[jt]s|json5?|ya?ml|toml)$/;
/** Any address under a name, also beside a variable: `baseUrl: env('TEXTS_URL', 'https://…')`. */
const configuring = new RegExp(String.raw`(?<![\w$])(\w+)["']?\s*[:=]\s*(?:[^\n,;{}]*?|[\w$.]+\([^\n;{}()]*?)${host}`, 'gi');
const plugInOf = /\bplugin(?:::|\.|\(\s*['"`])([\w-]+)/;

/** Whether what is set behind a text may be of the plug-in that a setting is read of, if its name says one. */
function isAbout(setting: string, before: string): boolean {
  const [, plugIn] = plugInOf.exec(setting) ?? [];
  return plugIn === undefined || new RegExp(`(?<![\\w-])${escaped(plugIn)}["']?\\s*[:=]`).test(before);
}

function settingsOf({ name, file, isGiven = false }: VariableUse, textIn: (file: string) => string): readonly Setting[] {
  const [, ofFile] = isGiven ? (/ of (\S+)$/.exec(name) ?? []) : [];
  if (ofFile?.includes('*') === true) {
    const where = new RegExp(`^${escaped(ofFile).replace(String.raw`\*`, ofTools + '[^/]*')}$`);
    return [{ name, isGiven, ofFile, where, known: textIn(file), pattern: setting }];
  }
  if (ofFile !== undefined) {
    const found = { name, isGiven, ofFile, where: new RegExp(`(?:^|/)${searchedAs(ofFile)}$`), pattern: setting };
    const [, property] = ofName.exec(ofFile) ?? [];
    if (property === undefined) return [found];
    const inManifest = new RegExp(String.raw`"${property}"\s*:\s*\{(?:[^{}]|\{[^{}]*\}|\{)*?${host}`, 'gi');
    return [found, { ...found, where: /(?:^|\/)package\.json$/, pattern: inManifest }];
  }
  if (isGiven && name.startsWith('--')) {
    const said = String.raw`(?<![\w-])(?:${spellingsOf(name, textIn(file)).join('|')})`;
    return [{ name, isGiven, where: new RegExp(said), pattern: new RegExp(String.raw`${said}[=\s"',]*${host}`, 'gi') }];
  }
  const input = isGiven ? undefined : inputOf(name);
  if (input === undefined) return [];
  const pattern = new RegExp(String.raw`(?<![\w-])${escaped(input).replaceAll('_', '[_ ]')}["']?\s*:\s*["']?${host}`, 'gi');
  return [{ name, isGiven, where: /uses:\s*["']?\.\//, pattern }];
}

const ofName = /^\.([\w-]+)rc$/;

/** `.textsrc` is looked for as `.textsrc.json`, `.config/textsrc` and `texts.config.js`, too. */
export function searchedAs(file: string): string {
  const [, name] = ofName.exec(file) ?? [];
  return name === undefined ? escaped(file) : String.raw`(?:(?:\.|\.config\/)${name}rc(?:\.\w+)*|${name}\.config\.\w+)`;
}

/** Not letters of what downloads something. */
const ofOther = String.raw`(?<!(?:curl|wget)\b.*)`;

/** How an option may be given: `--base-url` for `--baseUrl`, and its letter, where the file that declares it says one: `-b, --base`, `base: Flags.string({ char: 'b' })`. */
function spellingsOf(option: string, declared: string): string[] {
  const name = escaped(option.slice(2));
  const inside = String.raw`(?:[^{}"'\x60]|"[^"\n]*"|'[^'\n]*'|\x60[^\x60]*\x60)*`;
  const listed = String.raw`-(\w),?\s+--${name}(?![\w-])`;
  const named = String.raw`(?<![\w-])${name}["']?\s*[:,][^{}]*\{${inside}(?<!\w)(?:alias|char|short|shortFlag):\s*["'](\w)["']`;
  const letters = Array.from(declared.matchAll(new RegExp(`${listed}|${named}`, 'g')), ([, first, second = '']) => first ?? second);
  const dashed = name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  return [...new Set([`--${name}`, `--${dashed}`, ...letters.map((each) => `-${each}${ofOther}`)])];
}
