/** Whole applications: folders with `app/`, as somebody would have written it on v1, and `app.json`, the truth about each of its sites. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findingCodes } from '../../../codemods/model.ts';
import { type FixtureRun, readTree } from './fixtures.ts';

const appsRoot = fileURLToPath(new URL('../apps', import.meta.url));

/** What `app.json` may hold. */
export interface AppFacts {
  /** A sentence: what kind of application it is, and how it calls the service. */
  readonly title: string;
  /** `https://api.example.com` where absent. */
  readonly v1Base?: readonly string[];
  readonly v2Base?: string;
  /**
   * What must become of each place, by `file:line`, each in the words of one line: `moved`, `unchanged` (somebody else's, or nothing to
   * do), or the code of the finding that a person is given there. A place that is moved may carry findings too: `moved browser-key`.
   */
  readonly sites: Readonly<Record<string, string>>;
  /** Files of its own suite, for `node --test`: they pass before and after. */
  readonly suite?: readonly string[];
  /** What is run with the service itself, before on v1 and after on v2. */
  readonly run?: FixtureRun;
}

export interface App {
  readonly name: string;
  readonly folder: string;
  readonly facts: AppFacts;
}

export const loadApps = (): App[] =>
  readdirSync(appsRoot, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? entry.name : []))
    .toSorted()
    .map((name) => ({
      name,
      folder: join(appsRoot, name, 'app'),
      facts: JSON.parse(readFileSync(join(appsRoot, name, 'app.json'), 'utf8')),
    }));

/** Every line that speaks of the service in v1's words, or of something that looks like it. */
export function suspiciousPlaces(files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (suspicious.test(line) ? `${file}:${index + 1}` : [])),
  );
}
const suspicious = /x-api-key|\/v1\b|\/(?:messages|contacts|campaigns|lists|webhooks)\b.*\bv1\b/i;

/** What became of every line that changed or is reported: the same words as `sites` has. */
export function outcomes(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  findings: readonly { readonly file: string; readonly line: number; readonly code: string }[],
): Map<string, string> {
  const words = new Map<string, Set<string>>();
  const note = (place: string, word: string): void => void words.set(place, (words.get(place) ?? new Set()).add(word));
  for (const [file, text] of Object.entries(before)) {
    const now = (after[file] ?? '').split('\n');
    text.split('\n').forEach((line, index) => line !== now[index] && note(`${file}:${index + 1}`, 'moved'));
  }
  for (const { file, line, code } of findings) note(`${file}:${line}`, code);
  return new Map([...words].map(([place, all]) => [place, inOrder(all)]));
}

const inOrder = (words: ReadonlySet<string>): string =>
  [...words].toSorted((a, b) => Number(b === 'moved') - Number(a === 'moved') || (a < b ? -1 : 1)).join(' ');

/** What a truth table may say. */
export const truths: ReadonlySet<string> = new Set(['moved', 'unchanged', ...findingCodes]);
export const treeOfApp = ({ folder }: App): Record<string, string> => readTree(folder);
