/** Paths that are asked of whoever serves a page or program: where nothing stands before them, its own server may be who answers. */
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import type { Request } from '../../requests/requests.ts';
import type { Problem } from '../../escape/problems.ts';

/** The path of an address that is nothing else; what is not known of it is one segment. */
export function pathsAsked({ url = [] }: Request): Problem['detail'] {
  const text = flat(url);
  return /^\/(?!\/)/.test(text) ? { paths: text.replace(/[?#].*$/s, '').replaceAll(unknownPart, '0') } : {};
}

/** One finding tells of all that is asked at one place: of a base that several requests share each of their paths, if all of them are known. */
export function withAllPaths(problems: readonly Problem[]): Problem[] {
  const [first, ...others] = problems;
  if (first?.detail['paths'] === undefined) return [...problems];
  const { paths: _, ...detail } = first.detail;
  const all = problems.map((each) => each.detail['paths']);
  return [{ ...first, detail: all.includes(undefined) ? detail : { ...detail, paths: [...new Set(all)].join(' ') } }, ...others];
}
