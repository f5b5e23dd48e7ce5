/** What is known, once edits are made, of the packages that documents are about: what each asks for, what it has left of v1, and what names it has to do with. */
import type { Passage } from '../../escape/ledger/passages.ts';
import type { Subject } from '../../escape/ledger/subjects.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { foldersAbove, packageFolders } from '../../find/packages/package-folders.ts';
import type { Finding, Plan } from '../../model.ts';
import { besideV2 } from '../beside-v2.ts';
import { saidOfEdits } from '../edited-files.ts';
import { movedBehindCalls } from '../moved.ts';
import { asksForMore, isScript, namesLeftAt, wordsIn } from '../uses-of-v1.ts';
import { type Asking, askingIn, type Subjects } from './asking-code.ts';
import { noteAnswers, noteDefaults, noteSet, noteUses } from './package-uses.ts';
import { type Known, note, Package, type Search } from './package.ts';
import { isSentences } from './passage-edits.ts';

export interface Packages {
  readonly of: (passage: Passage) => Package;
  /** Who asks on v2, by the names of functions and files. */
  readonly asking: (name: string) => readonly Asking[];
  /** Whether all that a passage says was edited in the files that it names. */
  readonly isOfEdits: ReturnType<typeof saidOfEdits>;
  /** Files with something that stays. */
  readonly leftFiles: ReadonlySet<string>;
  /** Whether anything stays outside of tests. */
  readonly isAnyLeft: boolean;
}

/** @param open passages that may move */
export function packagesOf(open: readonly Passage[], plan: Pick<Plan, 'edits' | 'calls' | 'findings'>, known: Known): Packages {
  const { moved, files, textIn } = known;
  const folderOf = packageFolders(files);
  const packages = new Map(Array.from(new Set(open.map(folderOf)), (folder) => [folder, new Package(folder)]));
  const about = (file: string): Package[] => (isTest({ file }) ? [] : foldersAbove(file).flatMap((folder) => packages.get(folder) ?? []));
  const named = subjectsOf(open);
  const editsIn = Map.groupBy(plan.edits, ({ file }) => file);
  const search = { ...known, open, packages, about, named, editsIn };
  const stays = staying(plan.findings, search);
  noteCalls(search);
  noteLeft(stays, search);
  for (const file of files) noteUses(file, search);
  noteAnswers(search);
  noteSet(search);
  noteDefaults(plan.findings, search);
  for (const each of packages.values()) each.name = nameIn(textIn, files, `${each.folder}package.json`);
  const leftFiles = new Set(stays.map(({ file }) => file));
  const isOfCode = named.function.size + named.file.size > 0;
  const asking = isOfCode ? askingIn(named, [...moved, ...movedBehindCalls(plan.calls, plan.edits, textIn)], textIn) : undefined;
  return {
    of: (passage) => packages.get(folderOf(passage)) ?? new Package(''),
    asking: (name) => asking?.get(name) ?? [],
    isOfEdits: saidOfEdits({ names: named.file, files, editsIn, left: leftFiles, textIn }),
    leftFiles,
    isAnyLeft: stays.some((each) => !isTest(each)),
  };
}

const nameIn = (textIn: Known['textIn'], files: Known['files'], file: string): string | undefined =>
  files.some(({ path }) => path === file) ? /"name"\s*:\s*"([^"]+)"/.exec(textIn(file))?.[1] : undefined;

function subjectsOf(passages: readonly Passage[]): Subjects {
  const all = passages.flatMap(({ subjects = [] }) => subjects);
  const of = (asked: Subject['kind']): ReadonlySet<string> => new Set(all.flatMap(({ kind, name }) => (kind === asked ? name : [])));
  return { variable: of('variable'), option: of('option'), function: of('function'), file: of('file') };
}

/** What is left for a person and may be of v1. What another document says is no program. */
function staying(findings: readonly Finding[], { open, failures, textIn }: Search): readonly Finding[] {
  const described = new Set(open.flatMap(({ file, isDescription }) => (isDescription ? file : [])));
  const isOfPeople = ({ file }: Finding): boolean => isSentences.test(file) || described.has(file);
  return [...findings.filter((each) => !besideV2.has(each.code) && !isOfPeople(each) && !asksForMore(each, textIn)), ...failures];
}

function noteCalls({ moved, others, about }: Search): void {
  const ours = new Set(moved.map(({ file, endpoint }) => `${file} ${endpoint}`));
  for (const { file, endpoint } of moved) for (const each of about(file)) each.asked.add(endpoint);
  for (const { base, file, route } of others)
    if (route !== undefined && !(base.startsWith('env:') && ours.has(`${file} ${route}`)))
      for (const each of about(file)) each.askedElsewhere.add(route);
}

function noteLeft(stays: readonly Finding[], { about, named, textIn }: Search): void {
  for (const finding of stays) {
    const own = about(finding.file);
    for (const each of own) each.isLeft = true;
    if (own.length > 0) note(own, 'namesLeft', namesLeftAt(finding, named.variable, textIn));
    if (isScript.test(finding.file)) note(own, 'namesLeft', wordsIn(finding.file, named.option, textIn));
  }
}
