/** Documents beside code that is moved: what they say of its paths is old then, though no address of ours stands in them. */
import { posix } from 'node:path';
import { isKeyHeader, v1Auth } from '../../../src/contract/auth.ts';
import { type V1EndpointId, v1Endpoints } from '../../../src/contract/endpoints.ts';
import { namesOfService, tiesToService } from '../../escape/ledger/service-names.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { FoundFile } from '../../find/walk.ts';
import { coverOf, type TextRange } from '../../formats/text.ts';
import type { LedgerEntry, Plan } from '../../model.ts';
import { isComment as isCommentOfLine } from '../../escape/ledger/text-places.ts';
import { isComment } from '../../syntax/comments.ts';
import { lineAt } from '../../syntax/position.ts';
import { isChangeLog } from '../../formats/change-log.ts';
import { memoOf, once } from '../../once.ts';
import { ownApiIn } from '../../escape/headers/header-owners.ts';
import { anyPlaceholder, type Bases, matchRoute, routeHeads } from '../../verdict/bases/routes.ts';
import { byPlace, mentioned } from '../merge.ts';
import { type Moved, routeIn } from '../moved.ts';
import { isCodeOrPage } from '../../find/kinds.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

/**
 * @param textIn the text of a file
 */
export function withOldDocuments<P extends Read>(
  plan: P,
  moved: readonly Moved[],
  bases: Bases,
  files: readonly FoundFile[],
  textIn: (file: string) => string,
): P {
  const isOld = oldIn(plan, moved, bases, files, textIn);
  const old = new Set(plan.ledger.filter(isOld));
  if (old.size === 0) return plan;
  const lines = new Map([...old].map((entry) => [`${entry.file}:${entry.line}`, mentioned(entry)]));
  return {
    ...plan,
    ledger: plan.ledger.map((entry): LedgerEntry => (old.has(entry) ? { ...entry, state: 'person', reason: 'mentioned' } : entry)),
    findings: [...plan.findings, ...lines.values()].toSorted(byPlace),
  };
}

/**
 * Where a server of the user's own has such paths, its documents are about that, except where they call the service by its name. What speaks of calls that
 * stay is as old: it has to be written anew with them.
 */
function oldIn(
  { edits, ledger }: Read,
  moved: readonly Moved[],
  bases: Bases,
  files: readonly FoundFile[],
  textIn: (file: string) => string,
): (entry: LedgerEntry) => boolean {
  const known = new Map<string, ReturnType<typeof ownApiIn>>();
  const isOwn = (file: string, text: string): ReturnType<typeof ownApiIn> => {
    const found = known.get(file) ?? ownApiIn({ file, text }, bases);
    known.set(file, found);
    return found;
  };
  const ties = new Map<string, ReturnType<typeof tiedByName>>();
  const tiesIn = (file: string, text: string): ReturnType<typeof tiedByName> => {
    const found = ties.get(file) ?? tiedByName(bases, text);
    ties.set(file, found);
    return found;
  };
  const servers = new Set(ledger.flatMap(({ file, reason }) => (reason === 'own-server' && !isDocument(file) ? file : [])));
  const served = ledger.filter(({ file, reason }) => servers.has(file) && (reason === 'own-server' || reason === 'no-call'));
  const asked = once(() => [...moved, ...leftIn(ledger, textIn)]);
  const headOf = memoOf(({ file, start, end }: LedgerEntry) => routeHead.exec(textIn(file).slice(start, end))?.[0]);
  const withoutPaths = pathsTakenOut(bases);
  const ofOthers = once(() => headersOfOthers(files, ledger, textIn));
  const scripts = files.flatMap(({ path, kind }) => (kind === 'script' ? path : []));
  const keys = once(() => (moved.length === 0 ? [] : variablesOfKeys(edits, scripts, textIn)));
  return ({ file, reason, start, end }) => {
    if (reason !== 'no-call' || !isDocument(file)) return false;
    const folder = posix.dirname(file).replace(/(?:^|\/)(?:docs?|documentation)(?:\/.*)?$/i, '') || '.';
    const isBeside = (other: { readonly file: string }): boolean => isUnder(folder, other.file);
    const whole = textIn(file);
    const line = lineAt(whole, start);
    const isOfHeader = isKeyHeader(whole.slice(start, end));
    if (/^\s*<!--/.test(line) || isOwn(file, whole)({ start, end })) return false;
    // Where no program has such a header but for the service, nobody else's can be meant.
    if (isOfHeader && asked().some(isBeside) && !ofOthers().some(isBeside)) return true;
    const own = served.filter(isBeside);
    const isOurs = own.length === 0 || (namesService(bases, sectionAt(whole, start)) && !(isOfHeader && line.includes('://')));
    if (isOfHeader && !isOurs) return false;
    // Whatever else the document has, this it says of the service by its name.
    if (tiesIn(file, whole)({ start, end, isOfHeader }) && asked().some(isBeside)) return true;
    // `| messaging | x-api-key | API_KEY |`: which key it is about, its variable says.
    if (isOfHeader && keys().some((each) => each.test(line))) return true;
    const heads = own.flatMap((each) => headOf(each) ?? []);
    const isServed = (endpoint: V1EndpointId): boolean => !isOurs && isBelowAny(heads, v1Endpoints[endpoint].path);
    const beside = new Set(asked().flatMap((each) => (isBeside(each) ? each.endpoint : [])));
    const routes = [...beside].filter((each) => !isServed(each)).map(routeIn);
    // The header is of v1 where the routes are.
    const speaks = withoutPaths(isOfHeader ? whole : line);
    return routes.some((route) => route.test(speaks));
  };
}

/** The files of programs that have the header and of which it is not known to be the service's. */
function headersOfOthers(files: readonly FoundFile[], ledger: readonly LedgerEntry[], textIn: (file: string) => string) {
  const ours = Map.groupBy(
    ledger.filter(({ state }) => state !== 'foreign'),
    ({ file }) => file,
  );
  return files.flatMap(({ path: file, aside }) => {
    if (aside !== undefined || ofWords.test(file) || isTest({ file })) return [];
    const text = textIn(file);
    const isOurs = coverOf(ours.get(file) ?? []);
    const isSaid = ({ start, end }: TextRange): boolean => isComment(text, start) || isCommentOfLine({ file, text }, { start, end });
    const found = Array.from(text.matchAll(header), ({ index: start, 0: { length } }) => ({ start, end: start + length }));
    return found.every((place) => isOurs(place) || isSaid(place)) ? [] : { file };
  });
}
const ofWords = /\.(?:mdx?|txt|rst|adoc)$/i;
const header = new RegExp(String.raw`(?<![\w-])${v1Auth.field}(?![\w-])`, 'gi');

/** What programs ask us for that stays, or may ask us: whose a call is of which the base is not proven, nobody knows. */
function leftIn(ledger: readonly LedgerEntry[], textIn: (file: string) => string): Moved[] {
  return ledger.flatMap(({ file, state, reason, start, end }) => {
    if (state !== 'person' || reason === 'base-not-proven' || !isCodeOrPage.test(file) || isTest({ file })) return [];
    const [path] = /v1\/[^\s'"`?#]*/.exec(textIn(file).slice(start, end)) ?? [];
    const endpoints = path === undefined ? [] : matchRoute(`/${path}`, undefined, { placeholder: anyPlaceholder });
    return endpoints.map((endpoint) => ({ file, endpoint }));
  });
}

/** The variables that keys are read of which are sent as v2 takes them, by this run or one before, each as a word. */
function variablesOfKeys(edits: Plan['edits'], scripts: readonly string[], textIn: (file: string) => string): RegExp[] {
  const moved = edits.flatMap(({ file, start, what }) => (what === 'header value' ? lineAt(textIn(file), start) : []));
  const sent = scripts.flatMap((file) => textIn(file).match(/Bearer [^\n]*/g) ?? []);
  const names = [...moved, ...sent].flatMap((line) => Array.from(line.matchAll(/\benv(?:\.|\[['"`])([A-Z]\w+)/g), ([, name = '']) => name));
  return [...new Set(names)].map((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`));
}

/** By `/v1/messages` a server has all that is below it, and any where nothing is known of its paths. */
const isBelowAny = (heads: readonly string[], path: string): boolean =>
  heads.length === 0 || heads.some((head) => `${path}/`.startsWith(`${head}/`));

const routeHead = new RegExp(`(?:${routeHeads.join('|')})(?![\\w-])`);

/** Whether a text calls the service by the name of its host. */
const namesService = (bases: Bases, text: string): boolean => namesOfService(bases, text)(text) !== text;

/** Whether the sentence of a header, or what its item begins with, has the name of the service, or that stands beside a path as its owner: `GET /v1/messages/:id of Parlo`. */
function tiedByName(bases: Bases, text: string): (place: TextRange & { readonly isOfHeader: boolean }) => boolean {
  const [withoutNames, isTied] = [namesOfService(bases, text), tiesToService(bases, text)];
  return ({ start, end, isOfHeader }) => {
    const before = text.slice(Math.max(0, start - longestSentence), start);
    const behind = text.slice(end, end + longestSentence);
    if (isOfHeader) {
      const [, label = ''] = ofItem.exec(before.split(ofParts).at(-1) ?? '') ?? [];
      const said = `${label} ${before.split(ofSentences).at(-1) ?? ''} ${behind.split(ofSentences, 1)[0] ?? ''}`;
      return withoutNames(said) !== said;
    }
    const place = {
      start: start - (/(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+$/.exec(before)?.[0].length ?? 0),
      end: end + (/^[^\s`"'()<>|]*/.exec(behind)?.[0].length ?? 0),
    };
    return isTied(text, place);
  };
}

/** In characters. */
const longestSentence = 400;

/** Where the next item, row or paragraph begins. */
const ofParts = /\n\s*(?:\n|[-*+|>]\s|\d+[.)]\s)/;
const ofSentences = new RegExp(String.raw`[.!?]\s|${ofParts.source}`);
/** Of whom an item is, what stands in front of its colon says: `Parlo: …` */
const ofItem = /^[*_`]*([\w .-]{1,40})[*_`]*:[*_]*\s/;

/** From the heading that a place stands under to the next one. */
function sectionAt(text: string, at: number): string {
  const before = text.slice(0, at).split(heading).at(-1) ?? '';
  const [behind = ''] = text.slice(at).split(heading, 1);
  return before + behind;
}

const heading = /^#{1,6}\s/m;

/** People write the path of a base before that of a route: `POST /gateway/v1/messages/send`. */
function pathsTakenOut({ v1 }: Bases): (text: string) => string {
  const paths = v1.map((base) => new URL(base).pathname).filter((path) => path !== '/');
  return (text) => paths.reduce((said, path) => said.replaceAll(`${path}/v1/`, '/v1/'), text);
}

const isUnder = (folder: string, file: string): boolean => folder === '.' || file.startsWith(`${folder}/`);
/** A schema of GraphQL has descriptions. */
const isDocument = (file: string): boolean => /\.(?:mdx?|graphqls?|gql)$/i.test(file) && !isChangeLog(file);
