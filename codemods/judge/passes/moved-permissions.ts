/**
 * What a platform lets through by its address, as the manifests of extensions, of Apps Script and of Tauri say it: calls that are moved would be refused there.
 * It goes along once nothing at all is left on v1, as whoever asks v1 then would be refused instead.
 */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { FileKind } from '../../find/kinds.ts';
import type { Suspect } from '../../find/scan.ts';
import type { FoundFile } from '../../find/walk.ts';
import { escaped } from '../../find/words/literals.ts';
import { type TextRange, coverOf } from '../../formats/text.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { namedAsOurs } from '../../verdict/bases/packages-of-ours.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { besideV2 } from '../beside-v2.ts';
import { byPlace } from '../merge.ts';
import type { Moved } from '../moved.ts';

interface Known {
  readonly moved: readonly Moved[];
  readonly bases: Bases;
  /** Files that name a base. */
  readonly naming: readonly Suspect[];
  readonly failures: readonly Finding[];
  readonly files: readonly FoundFile[];
  readonly textIn: (file: string) => string;
}

export function withMovedPermissions<P extends Pick<Plan, 'edits' | 'findings' | 'ledger'>>(plan: P, known: Known): P {
  const { moved, bases, naming, failures, textIn } = known;
  const told = Map.groupBy(
    plan.findings.filter(({ code, file }) => (code === 'repeats-path' || code === 'unconsumed') && isManifest.test(file)),
    ({ file }) => file,
  );
  // Of v2 at another address it is open what else of it has to be let through.
  if (told.size === 0 || moved.length === 0 || bases.v2 !== undefined) return plan;
  const edited = new Set(plan.edits.map(({ file }) => file));
  const lists = new Map(
    [...told].flatMap(([file, findings]) => {
      const places = edited.has(file) ? [] : permissionsIn(file, textIn(file), bases);
      return findings.every(coverOf(places)) ? [[file, places] as const] : [];
    }),
  );
  const stays = [...plan.findings, ...failures].some(
    (each) => !besideV2.has(each.code) && !isTest(each) && !isDocument.test(each.file) && !lists.has(each.file),
  );
  // A program that names the service and its version apart, and is not edited, asks in a way that nobody saw.
  const isUnseen = ({ path, kind }: Suspect): boolean =>
    isProgram.has(kind) && !edited.has(path) && !isTest({ file: path }) && /(?<!\w)v1(?!\w)/i.test(textIn(path));
  // `chrome.permissions.request({ origins })` asks for what the manifest has.
  const isAsked = plan.findings.some(
    ({ file, start, end }) => !isManifest.test(file) && !isTest({ file }) && pattern.test(textIn(file).slice(start, end + 3)),
  );
  if (stays || isAsked || lists.size === 0 || naming.some(isUnseen) || hasPackageOfOurs(known)) return plan;
  const isGone = ({ file, start, end }: Finding | LedgerEntry): boolean => coverOf(lists.get(file) ?? [])({ start, end });
  const edits = [...lists].flatMap(([file, places]) =>
    places.map(({ version: start }): Edit => ({
      file,
      start,
      end: start + v1.length,
      text: v2,
      what: 'path',
      group: `${file}:permissions`,
    })),
  );
  return {
    ...plan,
    edits: [...plan.edits, ...edits].toSorted(byPlace),
    findings: plan.findings.filter((each) => !isGone(each)),
    ledger: plan.ledger.map((entry): LedgerEntry => (isGone(entry) ? { ...entry, state: 'rewritten', reason: 'path' } : entry)),
  };
}

const pattern = /\/v1\/\*/;

/** `manifest.json` of an extension, `appsscript.json`, `capabilities/default.json` and `tauri.conf.json`. */
const isManifest = /(?:^|\/)(?:manifest(?:\.\w+)?|appsscript|tauri(?:\.\w+)?\.conf|capabilities\/[\w.-]+)\.json$/;
const isOfPlatform = /"(?:manifest_version|urlFetchWhitelist|identifier|permissions)"\s*:/;
/** Libraries of Apps Script ask by the same list. */
const hasLibraries = /"libraries"\s*:\s*\[\s*\{/;
const isProgram: ReadonlySet<FileKind> = new Set(['script', 'markup', 'other']);
const isDocument = /\.mdx?$/;

/** The pages that scripts of an extension are put into, or that may speak to it: nobody asks for these by it. */
const pages = /"(?:exclude_)?matches"\s*:\s*\[[^\][]*\]/g;

const [v1, v2] = ['/v1', '/v2'];

/** Where an item of a list, or a source of a policy, is all of v1 and nothing else. */
function permissionsIn(file: string, text: string, { v1: bases }: Bases): (TextRange & { readonly version: number })[] {
  if (!isOfPlatform.test(text) || hasLibraries.test(text) || !isManifest.test(file)) return [];
  const isOfPages = coverOf(Array.from(text.matchAll(pages), ({ index: start, 0: { length } }) => ({ start, end: start + length })));
  return bases.flatMap((base) => {
    const { protocol, host, pathname } = new URL(base);
    const address = `(?:${escaped(protocol)}|\\*:)//${escaped(`${host}${pathname.replace(/\/$/, '')}`)}`;
    const all = new RegExp(`(?<=["\\s;])(${address})${v1}(?:/\\*{0,2})?(?=["\\s;])`, 'g');
    return Array.from(text.matchAll(all), ({ index: start, 0: found, 1: before = '' }) => ({
      start,
      end: start + found.length,
      version: start + before.length,
    })).filter((place) => !isOfPages(place));
  });
}

/** What a package asks is not seen. */
function hasPackageOfOurs({ bases, files, textIn }: Known): boolean {
  const isOurs = namedAsOurs(bases);
  const manifests = files.filter(({ path }) => /(?:^|\/)package\.json$/.test(path));
  return manifests.some(({ path }) => Array.from(textIn(path).matchAll(/"([^"\n]+)"\s*:/g)).some(([, key = '']) => isOurs(key)));
}
