/** Which location of nginx takes a path: https://nginx.org/en/docs/http/ngx_http_core_module.html#location */

export interface Location {
  /** `=`, `^~`, `~`, `~*`, or nothing. */
  readonly sign: string;
  readonly path: string;
  /** Whether nothing in it may lead to another place. */
  readonly isPlain: boolean;
  /** Whether it is for all that no other takes, and answers with files. */
  readonly isFallback: boolean;
}

/** Files by their names' end: no call asks for these. */
const ofFiles = /^\\\.(?:\w+|\((?:\?:)?[\w|?]+\))\$$/;

/**
 * Every location that nginx could choose.
 * @param path may hold unknown parts
 */
export function chosenBy<L extends Location>(path: string, locations: readonly L[]): L[] {
  const [asked = ''] = path.split(/[?#]/, 1);
  const [known = ''] = asked.split('\0', 1);
  const isOpen = known !== asked;
  const byPath = locations.filter(({ sign }) => /^(?:=|\^~|)$/.test(sign));
  const exact = byPath.find((each) => each.sign === '=' && each.path === asked);
  if (exact !== undefined) return [exact];
  const longer = isOpen ? byPath.filter((each) => each.path.startsWith(known) && each.path !== known) : [];
  const above = byPath.filter((each) => each.sign !== '=' && known.startsWith(each.path));
  const [longest] = above.toSorted((one, other) => other.path.length - one.path.length);
  const patterns = locations.filter(({ sign, path: pattern }) => sign.startsWith('~') && !ofFiles.test(pattern));
  const matching = longest?.sign === '^~' ? [] : patterns.filter((each) => mayMatch(each, known, isOpen));
  const first = matching.findIndex((each) => !isOpen && patternOf(each) !== undefined);
  if (first !== -1) return matching.slice(0, first + 1);
  return [...longer, ...matching, ...(longest === undefined ? [] : [longest])];
}

function mayMatch(location: Location, known: string, isOpen: boolean): boolean {
  const pattern = patternOf(location);
  if (pattern === undefined) return true;
  if (!isOpen) return pattern.test(known);
  const [, beginning] = /^\^([/\w-]+)/.exec(location.path) ?? [];
  return beginning === undefined || known.startsWith(beginning) || beginning.startsWith(known);
}

/** @returns undefined where it is none of JavaScript's, too */
function patternOf({ sign, path }: Location): RegExp | undefined {
  try {
    return new RegExp(path, sign === '~*' ? 'i' : '');
  } catch {
    return undefined;
  }
}
