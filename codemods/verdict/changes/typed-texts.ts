/** Paths with a parameter that nobody was seen to give, and whose type says what it can be: `(resource: 'contacts' | 'messages') => …`. */
import { unknownPart } from '../../evaluate/values/text.ts';
import type { Part, Value } from '../../evaluate/values/values.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { ParamNode } from '../../syntax/tree.ts';
import { matchRoute } from '../bases/routes.ts';
import type { Verdict } from '../verdict.ts';

/** More than this is no list that somebody wrote of what the API has. */
const maxTexts = 30;
const oneText = `\\s*(?:'[\\w-]+'|"[\\w-]+")\\s*`;
const texts = `\\s*\\|?(${oneText}(?:\\|${oneText})*)`;
/** More of it may stand on the next line, behind comments. */
const endOfUnion = String.raw`(?:;|\n(?!(?:\s|//.*\n|/\*[^]*?\*/)*[|&])|$(?![^]))`;
const inline = new RegExp(`^[\\w$]+\\??\\s*:${texts}(?=$|=)`);
const typed = /\.[cm]?tsx?$/;

/**
 * @param judge the verdict on an address with one of the texts in it
 * @returns undefined where one of them is no path of v1, by whatever method: what the types allow is more than what is asked for
 */
export function verdictAsTyped(url: readonly Part[], judge: (url: readonly Part[]) => Verdict): Verdict | undefined {
  const at = url.findIndex((part) => 'unknownPart' in part && textsOf(part.unknownPart).length > 0);
  const part = url[at];
  if (part === undefined || !('unknownPart' in part)) return undefined;
  const before = lengthOf(url.slice(0, at));
  const found = textsOf(part.unknownPart).map((text) => judge(url.toSpliced(at, 1, { text })));
  const isOurs = (verdict: Verdict): verdict is Extract<Verdict, { kind: 'ours' }> =>
    verdict.kind === 'ours' && (verdict.version?.end ?? 0) <= before && (verdict.base?.end ?? 0) <= before;
  return found.every((verdict) => isOurs(verdict) || isOfOtherMethod(verdict)) ? found.find(isOurs) : undefined;
}

const isOfOtherMethod = (verdict: Verdict): boolean =>
  verdict.kind === 'unknown-route' && matchRoute(verdict.route, undefined, { placeholder: new RegExp(unknownPart) }).length > 0;

const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + ('unknownPart' in part ? 1 : part.text.length), 0);

function textsOf(value: Value): string[] {
  if (value.type !== 'unknown' || value.module === undefined || value.node?.kind !== 'param' || !typed.test(value.module.file)) return [];
  const written = writtenIn(value.node, value.module);
  const found = written?.split('|').map((each) => each.trim().slice(1, -1)) ?? [];
  return found.length > maxTexts ? [] : found;
}

/** The union that stands at the parameter, or under the name of a type of the same file. */
function writtenIn({ start, end, typeName }: ParamNode, { text }: SourceText): string | undefined {
  if (typeName === undefined) return inline.exec(text.slice(start, end))?.[1];
  if (!/^[\w$]+$/.test(typeName)) return undefined;
  const declared = new RegExp(`^(?:export\\s+)?type\\s+${typeName.replaceAll('$', '\\$')}\\s*=${texts}${endOfUnion}`, 'gm');
  const named = [...text.matchAll(declared)];
  return named.length === 1 ? named[0]?.[1] : undefined;
}
