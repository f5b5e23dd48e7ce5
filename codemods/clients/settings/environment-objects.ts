/**
 * Objects that functions of a deployment share as their environment: `const environment = { API_URL: 'https://…' };` of which each is given
 * `{ handler, environment }`, `{ environment: common }` or `{ environment: { ...common, TABLE: … } }`, as in the CDK.
 */

export interface EnvironmentObject {
  /** Where its brace opens. */
  readonly start: number;
  /** Where functions are given it. */
  readonly usedAt: readonly number[];
}

/** Without `export`: what other files do with it, nobody sees here. */
const declared = /^[^\S\n]*const ([A-Za-z_$][\w$]*)(?:\s*:[^=\n]*)? = (?=\{)/gm;
/** What stands before a name, up to its last letter, where that is all that is given as an environment, or is spread into one. */
const givenBy = /\benvironment['"]?\s*:\s*(?:\{(?:[^{}]*,)?\s*\.\.\.)?[\w$]+$/;
const shorthand = /[{,]\s*environment$/;
/** In a file without it nobody is given one. */
export const givesEnvironment = /\benvironment['"]?\s*(?:[,}]|:\s*(?:[A-Za-z_$]|\{[^{}]*\.\.\.))/;
/** No property: `...common` names one, `props.common` does not. */
const word = /(?<![\w$]|(?<!\.\.)\.\s*)[A-Za-z_$][\w$]*/g;
/** Texts with placeholders are left: a name may stand in one. */
const textOrComment = /(['"])(?:\\.|(?!\1)[^\\\n])*\1|\/\/[^\n]*|\/\*[^]*?\*\//g;
const farthest = 2_000;

/** Those that are named for nothing else in their file: who else has such an object may change it, or read what is in it. */
export function environmentObjectsIn(text: string): readonly EnvironmentObject[] {
  if (!givesEnvironment.test(text)) return [];
  const code = text.replaceAll(textOrComment, (all) => (/^['"]/.test(all) ? all.replaceAll(/\w/g, '"') : all.replaceAll(/\S/g, ' ')));
  const objects = Map.groupBy(code.matchAll(declared), ([, name = '']) => name);
  const named = Map.groupBy(objects.size === 0 ? [] : code.matchAll(word), ([name]) => name);
  return [...objects].flatMap(([name, [object, another]]) => {
    if (object === undefined || another !== undefined) return [];
    const start = object.index + object[0].length;
    const uses = (named.get(name) ?? []).filter(({ index }) => index < object.index || index >= start).map(({ index }) => index);
    const references = uses.filter((index) => !isKey(code, index, name));
    return references.length > 0 && references.every((index) => isGiven(code, index, name)) ? [{ start, usedAt: references }] : [];
  });
}

/** `environment: …`, which names no constant. */
const isKey = (code: string, index: number, name: string): boolean =>
  /^\s*:/.test(code.slice(index + name.length)) && /[{,]\s*$/.test(code.slice(Math.max(0, index - farthest), index));

function isGiven(code: string, index: number, name: string): boolean {
  const end = index + name.length;
  const before = code.slice(Math.max(0, index - farthest), end);
  return /^\s*[,}]/.test(code.slice(end)) && (givenBy.test(before) || (name === 'environment' && shorthand.test(before)));
}
