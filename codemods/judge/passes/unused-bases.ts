/**
 * Keys of v1 that go to nobody knows where, in a package that holds a base of ours which nothing was seen to use: what looks that up by a name, as
 * providers look up their configuration, may send the key there.
 */
import { posix } from 'node:path';
import { v1Auth } from '../../../src/contract/auth.ts';
import { projectsIn } from '../../find/packages/projects.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Finding, LedgerEntry, Plan } from '../../model.ts';
import { memo } from '../../once.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { byPlace } from '../merge.ts';
import { isCodeFile } from '../../find/kinds.ts';

type Told = Pick<Plan, 'findings' | 'ledger'>;

/** @param textIn the text of a file */
export function withKeysOfUnusedBases<P extends Told>(
  plan: P,
  bases: Pick<Bases, 'v1'>,
  files: readonly FoundFile[],
  textIn: (file: string) => string,
): P {
  const hosts = bases.v1.map((base) => new URL(base).host);
  // By file once: one may hold many bases, and many keys.
  const linesOf = memo((file: string) => textIn(file).split('\n'));
  const isUnusedBase = ({ code, file, line }: Finding): boolean => {
    const text = code === 'unconsumed' && !isTest({ file }) ? linesOf(file)[line - 1] : undefined;
    return text !== undefined && hosts.some((host) => text.includes(host));
  };
  const unused = plan.findings.filter(isUnusedBase);
  if (unused.length === 0) return plan;
  const projectOf = projectsIn(files);
  const byProject = Map.groupBy(unused, ({ file }) => projectOf(file));
  const namesIn = memo(
    (project: string) =>
      new Set(
        (byProject.get(project) ?? []).flatMap(({ file, start }) =>
          holdersOf(file, textIn(file).slice(Math.max(0, start - longestObject), start)),
        ),
      ),
  );
  const isNamedIn = memo((file: string) => {
    const text = `${file} ${textIn(file)}`.toLowerCase();
    return [...namesIn(projectOf(file))].some((name) => text.includes(name));
  });
  const said = new Set(plan.findings.map(lineOf));
  const isKey = ({ file, start, end }: LedgerEntry): boolean => textIn(file).slice(start, end).toLowerCase().includes(v1Auth.field);
  // Scripts of one page, and what a framework injects by name, share no import: whoever sets the header there may have the base of another file.
  const inCode = new Set(unused.flatMap(({ file }) => (isCode.test(file) ? projectOf(file) : [])));
  const isUnseen = ({ file, sentUnseen }: LedgerEntry): boolean => sentUnseen !== undefined && inCode.has(projectOf(file));
  const mayBeAsked = (entry: LedgerEntry): boolean => isUnseen(entry) || (isOpen(entry) && isNamedIn(entry.file));
  const open = plan.ledger.filter((entry) => !said.has(lineOf(entry)) && isKey(entry) && mayBeAsked(entry));
  const found = open.map(({ file, start, end, line, column }): Finding => ({
    code: 'base-not-proven',
    file,
    start,
    end,
    line,
    column,
    detail: {},
  }));
  const told = new Set(open);
  return {
    ...plan,
    findings: [...plan.findings, ...found].toSorted(byPlace),
    ledger: plan.ledger.map((entry) => (told.has(entry) ? { ...entry, state: 'person', reason: 'base-not-proven' } : entry)),
  };
}

const isCode = /\.(?:[cm]?[jt]sx?|html?|vue|svelte)$/;

/** How far before a base the name of its object is looked for. */
const longestObject = 2000;

/** What a base goes by where it stands: the file, and the property around its object, as in `texts: { url: '…' }`. */
function holdersOf(file: string, before: string): string[] {
  const around = /(["']?)([\w-]+)\1\s*:\s*\{[^{}]*$/.exec(before)?.[2];
  const [stem = ''] = posix.basename(file).split('.');
  return [stem, around ?? ''].map((name) => name.toLowerCase()).filter((name) => name.length > 2 && !anybodys.test(name));
}

/** Names that say nothing of what they are for. */
const anybodys =
  /^(?:(?:app|base|default)?(?:config|settings?|constants?|options|env)|index|providers?|services?|urls?|apis?|endpoints?|default|main)$/;

const lineOf = ({ file, line }: Pick<Finding, 'file' | 'line'>): string => `${file}:${line}`;

const isOpen = (entry: LedgerEntry): boolean =>
  entry.state === 'person' && entry.reason === 'base-not-proven' && isCodeFile.test(entry.file) && !isTest(entry);
