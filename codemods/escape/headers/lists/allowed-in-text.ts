/** Settings that say which headers are let through, in files that are no scripts: `cors: { headers: [x-api-key] }`, `Access-Control-Allow-Headers: x-api-key`. */
import { v2Auth } from '../../../../src/contract/auth.ts';
import type { SourceText } from '../../../evaluate/values/source-text.ts';
import type { TextRange } from '../../../formats/text.ts';
import { isAllowingName } from './allowed-names.ts';
import { isSettings, namedAround } from '../hiding/redactions-in-text.ts';

const isKnown = new RegExp(`(?<![\\w-])${v2Auth.field}(?![\\w-])`, 'i');
const headersOfAnswers = /^\.?_?headers$|(?:^|\/)_headers$/;
/** `add_header Access-Control-Allow-Headers "x-api-key"`, `"key": "Access-Control-Allow-Headers", "value": "x-api-key"` */
const answering = /\baccess-control-allow-headers\b["']?[^{}]{0,120}$/i;

/** Tells whether the header stands in a list of what is let through, without v2's. */
export function allowedIn({ file, text }: SourceText): (place: TextRange) => boolean {
  if (!isSettings.test(file) && !headersOfAnswers.test(file)) return () => false;
  return (place) => {
    const before = text.slice(Math.max(0, place.start - 200), place.start);
    const line = text.slice(place.end, place.end + 200).split('\n', 1)[0] ?? '';
    const said = answering.exec(before)?.[0];
    const list = said === undefined ? namedAround(text, place, isAllowing) : said + line;
    return list !== undefined && !isKnown.test(list) && !exposing.test(before);
  };
}

/** What pages are shown of an answer. */
const exposing = /\bexpose[\w-]*["']?\s*[:=][^:=]*$/i;

/** `cors: { headers: [...] }` */
const isAllowing = (name: string): boolean => isAllowingName(name) || /^cors$/i.test(name);
