/**
 * Modules that a test runner puts in the place of others, as its configuration or their folder says, and that nobody imports: a base that one has under the name
 * of a variable goes with that variable. What is tested has it from there.
 */
import { posix } from 'node:path';
import { isTest } from '../../evaluate/test-files.ts';
import { escaped } from '../../find/literals.ts';
import { projectsIn } from '../../find/projects.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { memo } from '../../once.ts';
import { type Bases, matchUrl } from '../../verdict/routes.ts';
import { besideV2 } from '../beside-v2.ts';
import { byPlace } from '../merge.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

interface Known {
  readonly files: readonly FoundFile[];
  readonly components: readonly (readonly { readonly file: string }[])[];
  readonly bases: Bases;
  /** Variables of ours that code reads. */
  readonly variables: ReadonlySet<string>;
  readonly textIn: (file: string) => string;
}

const mocksOfModules = /(?:^|\/)__mocks__\//;
const configuring = /^(?:vitest|vite|jest)[\w.-]*\.config[\w.-]*\.(?:[cm]?[jt]s|json)$/;
const replacing = /\balias\b|\bmoduleNameMapper\b/;

export function withMovedStandIns<P extends Read>(plan: P, { files, components, bases, variables, textIn }: Known): P {
  const open = bases.v2 === undefined ? plan.findings.filter(({ code, file }) => code === 'unconsumed' && isTest({ file })) : [];
  if (open.length === 0) return plan;
  const lineOf = ({ file, start }: Pick<Edit, 'file' | 'start'>): string => {
    const text = textIn(file);
    return text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  };
  const projectOf = projectsIn(files);
  const named = memo((name: string) => new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`));
  const configurations = files.filter(({ path }) => configuring.test(posix.basename(path)) && replacing.test(textIn(path)));
  const isPutInPlace = memo((file: string) => {
    if (components.some((own) => own.length > 1 && own.some((each) => each.file === file))) return false;
    const isNamed = ({ path }: FoundFile): boolean => {
      const target = posix.relative(posix.dirname(path), file).replace(/\.\w+$/, '');
      return !target.startsWith('..') && textIn(path).includes(target);
    };
    return mocksOfModules.test(file) || configurations.some(isNamed);
  });
  const editFor = (finding: Finding): Edit | undefined => {
    const { file, start, end } = finding;
    const address = textIn(file).slice(start + 1, end - 1);
    const [, name] = /([\w$]+)["']?\s*[:=]\s*$/.exec(lineOf(finding)) ?? [];
    if (name === undefined || !variables.has(name) || !/\/v1\/?$/.test(address) || matchUrl(address, bases).kind !== 'ours')
      return undefined;
    const isNear = (each: Pick<Edit, 'file'>): boolean => projectOf(each.file) === projectOf(file) && !isTest(each);
    // What stays on v1 may read it, too.
    const isLeft = plan.findings.some((each) => !besideV2.has(each.code) && isNear(each) && named(name).test(textIn(each.file)));
    if (isLeft || !isPutInPlace(file) || !plan.edits.some((each) => isNear(each) && named(name).test(lineOf(each)))) return undefined;
    const at = start + 1 + address.lastIndexOf('v1');
    return { file, start: at, end: at + 'v1'.length, text: 'v2', what: 'expectation', group: `${file}:stand-in` };
  };
  const moved = new Map(
    open.flatMap((finding) => [editFor(finding)].flatMap((edit) => (edit === undefined ? [] : [[finding, edit] as const]))),
  );
  const edits = [...moved.values()];
  const places = new Set([...moved.keys()].map(placeOf));
  if (edits.length === 0) return plan;
  return {
    ...plan,
    edits: [...plan.edits, ...edits].toSorted(byPlace),
    // Also what was said of it as of any address in the place of a variable's.
    findings: plan.findings.filter(
      ({ file, start, end }) => !edits.some((edit) => edit.file === file && start <= edit.start && edit.end <= end),
    ),
    ledger: plan.ledger.map((entry): LedgerEntry =>
      places.has(placeOf(entry)) ? { ...entry, state: 'rewritten', reason: 'expectation' } : entry,
    ),
  };
}

const placeOf = ({ file, start }: Finding | LedgerEntry): string => `${file} ${start}`;
