/**
 * What a test expects of the header of another service's call, where one stand-in answers for both: it stays, and is told, as what the stand-in reads may have
 * moved. The address that stands in the expectation, or in the one right before it, says whose call it is about.
 */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Edit, Finding, Plan } from '../../model.ts';
import { memo } from '../../once.ts';
import { positionsOf } from '../../syntax/position.ts';
import { isLocal, isMadeUp } from '../../verdict/bases/hosts.ts';
import { type Bases, matchRoute, matchUrl } from '../../verdict/bases/routes.ts';
import { byPlace } from '../merge.ts';

/** @param textIn the text of a file */
export function withoutOthersExpectations<P extends Pick<Plan, 'edits' | 'findings'>>(
  plan: P,
  bases: Bases,
  textIn: (file: string) => string,
): P {
  const others = memo((address: string) => isOthers(address, bases));
  const edited = Map.groupBy(
    plan.edits.filter(({ text }) => text === 'v2'),
    ({ file }) => file,
  );
  const isLeft = ({ file, start, text, what }: Edit): boolean => {
    if (what !== 'expectation' || text === 'v2' || !isTest({ file })) return false;
    const expectation = expectationAt(textIn(file), start);
    const addresses = [...expectation.text.matchAll(/https?:\/\/[^\s'"`?#]+/g)];
    // A host that stands in the place of ours is known by its version, which moves with the calls.
    const isMoved = ({ index, 0: { length } }: RegExpExecArray): boolean => {
      const begin = expectation.start + index;
      return edited.get(file)?.some((each) => begin <= each.start && each.end <= begin + length) === true;
    };
    return addresses.length > 0 && addresses.every((address) => others(upToPath(address[0])) && !isMoved(address));
  };
  const left = plan.edits.filter(isLeft);
  if (left.length === 0) return plan;
  const dropped = new Set(left);
  const lines = new Map(left.map((edit) => [`${edit.file}:${positionsOf(textIn(edit.file))(edit.start).line}`, edit]));
  const found = [...lines.values()].map(({ file, start, end }): Finding => ({
    code: 'reads-header',
    file,
    start,
    end,
    ...positionsOf(textIn(file))(start),
    detail: {},
  }));
  const said = new Set(plan.findings.map(({ file, line }) => `${file}:${line}`));
  return {
    ...plan,
    edits: plan.edits.filter((edit) => !dropped.has(edit)),
    findings: [...plan.findings, ...found.filter(({ file, line }) => !said.has(`${file}:${line}`))].toSorted(byPlace),
  };
}

/** Of a host that is written out, what is put behind it is its path: `https://api.example.com${SEND}`. */
const upToPath = (address: string): string => address.replace(/\$\{.*$/s, '');

/** A host that a test has made up may be a stage of ours, but for a path that v1 has not. */
function isOthers(address: string, bases: Bases): boolean {
  if (matchUrl(address, bases).kind !== 'foreign') return false;
  const url = URL.parse(address);
  if (url === null || isLocal(url.host)) return false;
  if (!isMadeUp(url.host, bases.v1)) return true;
  return url.pathname !== '/' && !/^\/v\d+\/?$/.test(url.pathname) && matchRoute(url.pathname, undefined).length === 0;
}

/** The expectation around a place, with the line before it where that is one, too. */
function expectationAt(text: string, at: number): { readonly text: string; readonly start: number } {
  const before =
    text
      .slice(Math.max(0, at - longest), at)
      .split(statementEnd)
      .at(-1) ?? '';
  const [begun] = /\b(?:expect|assert)\b[^]*$/.exec(before) ?? [];
  if (begun === undefined) return { text: '', start: at };
  const start = at - begun.length;
  const [after = ''] = text.slice(at, at + longest).split(statementEnd, 1);
  const [line = ''] = /(?:^|\n)[ \t]*(?:expect|assert)\b[^\n]*\n[ \t]*$/.exec(text.slice(0, start)) ?? [];
  return { text: line + begun + after, start: start - line.length };
}

/** Where a statement ends, with a semicolon or without: nothing at the end of its line, or at the beginning of the next, goes on with it. */
const statementEnd = /;|(?<=[\w)\]}'"`])[ \t]*\r?\n(?=\s*[\w'"`])/;

/** Characters of an expectation. */
const longest = 2_000;
