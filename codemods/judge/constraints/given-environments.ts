/**
 * Packages that are given the whole environment, `createTexts(process.env)`: what they take of it nobody knows, and a file that names none of our variables is
 * not looked into otherwise. What hands back settings, checks or renames them, has its readers here.
 */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { isQuiet } from '../../clients/quiet-packages.ts';
import { isTest } from '../../evaluate/test-files.ts';
import { escaped } from '../../find/literals.ts';
import type { Resolve } from '../../find/resolver.ts';
import type { Scan } from '../../find/scan.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';
import { withoutComments } from './foreign-readers.ts';

const name = String.raw`[A-Za-z_$][\w$]*`;
/** A call of a function by its name, or of what is required right there, with the environment for an argument or spread into one. */
const giving = new RegExp(
  String.raw`(?<![\w$.])(?:(?<called>${name})(?<member>(?:\.${name})*)|require\(\s*['"](?<required>[^'"]+)['"]\s*\)(?<part>(?:\.${name})*))\(\s*(?:[^(){}]*,\s*)?(?:\{\s*(?:[\w$'":,.\s]*,\s*)?\.\.\.)?process\.env\b(?!\??\.|\[|\s*=)`,
  'g',
);
/** What reads settings, checks, picks, renames, shows or sets them. */
const ofSettings =
  /env|config|settings?|options|schema|pars|valid|check|load|expand|pick|omit|get|has|keys|case|map|entries|assign|merge|defaults|stringify|inspect|log|print|debug|clean|decode|plain|ensure|assert|require|freeze|clone|sanit|filter/i;

/**
 * @param set where files beside the code set such variables: a program has those of its folder, and of the ones above
 * @returns the calls, for each of the variables that may be read there
 */
export function givenEnvironmentsIn(
  { specifiers }: Pick<Scan, 'specifiers'>,
  resolve: Resolve,
  set: readonly Pick<VariableUse, 'file' | 'name'>[],
  textIn: (file: string) => string,
  isOpen: IsOpen,
): VariableUse[] {
  if (set.length === 0) return [];
  return [...specifiers].flatMap(([file, named]) => {
    const packages = named.filter((each) => !/^[.#/]/.test(each) && !isBuiltin(each) && !isQuiet(each));
    const names = new Set(set.flatMap((place) => (isBelow(file, place.file) ? place.name : [])));
    if (packages.length === 0 || names.size === 0 || isTest({ file })) return [];
    const text = textIn(file);
    if (!text.includes('process.env')) return [];
    const code = withoutComments(text, file);
    const isForeign = (specifier: string | undefined): boolean =>
      specifier !== undefined && packages.includes(specifier) && resolve(file, specifier) === undefined;
    const position = positionsOf(text);
    return [...code.matchAll(giving)].flatMap(({ 0: all, index: start, groups = {} }) => {
      const { called = '', member = '', required, part = '' } = groups;
      const end = start + all.length;
      const isAsking = !ofSettings.test(`${called}${member}${part}`) && isForeign(required ?? packageOf(called, packages, code));
      return isAsking && isOpen({ file, start, end })
        ? [...names].map((each) => ({ file, start, end, ...position(start), name: each, group: undefined, needsValue: true as const }))
        : [];
    });
  });
}

const isBelow = (file: string, other: string): boolean => `/${file}`.startsWith(`/${posix.dirname(other)}/`.replace('/./', '/'));

/** The package that a name is imported from, or required. */
const packageOf = (local: string, packages: readonly string[], code: string): string | undefined =>
  packages.find((each) => {
    const names = String.raw`(?<![\w$.])${escaped(local)}(?![\w$])[^;'"=()]{0,300}`;
    const from = String.raw`['"]${escaped(each)}['"]`;
    return new RegExp(String.raw`${names}(?:from\s*|=\s*(?:await\s+)?(?:require|import)\(\s*)${from}`).test(code);
  });
