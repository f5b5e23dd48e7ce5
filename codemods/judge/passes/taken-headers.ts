/**
 * Code beside moved calls that did nothing to them while their key stood in a header of its own: what takes Authorization away, adds a session to every
 * request, or refuses one as v1 does. Where a request comes through it need not be seen.
 */
import { v2Auth } from '../../../src/contract/auth.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { standsInByName } from '../../find/packages/stand-ins.ts';
import { hidingWords } from '../../find/words/hiding-words.ts';
import type { Finding, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import { notReportedBy } from '../../escape/ledger/ledger-entry.ts';
import { byPlace } from '../merge.ts';

const { field } = v2Auth;
const quoted = String.raw`['"\`]${field}['"\`]`;
const named = String.raw`(?:\?*\.${field}\b|(?:\?\.)?\[${quoted}\])`;

/** `delete headers.Authorization`, `headers.delete('authorization')`, `const { authorization, ...rest } = headers`, `omit(headers, 'authorization')` */
const taking = new RegExp(
  [
    String.raw`\bdelete\s+[\w$.?![\]'"]*?${named}`,
    String.raw`\.(?:delete|remove|unset|removeHeader|deleteHeader)\(\s*${quoted}`,
    String.raw`\{[^{}]{0,80}?(?:\b${field}|${quoted})\s*(?::\s*[\w$]+)?\s*,[^{}]{0,80}?\.\.\.[\w$]+\s*,?\s*\}\s*=(?![=>])`,
    String.raw`\bomit\([^;]{0,80}?${quoted}`,
  ].join('|'),
  'gi',
);
/** What is written of a request that was answered: `error.config.headers.Authorization`. */
const answered = new RegExp(String.raw`\bconfig\??\.headers(?:${named}(?!\s*\??\??=(?!=))|\??\.(?:get|has)\(\s*${quoted})`, 'gi');
/** What stands in for v1 refuses v2's header: `if (req.headers.authorization) …`. */
const refusing = new RegExp(
  String.raw`\bif\s*\([^;{}!]{0,60}?\bheaders(?:${named}|\??\.(?:get|has)\(\s*${quoted}\s*\))\s*(?:(?:!==?)\s*(?:null|undefined)\s*)?\)`,
  'gi',
);
const adding = new RegExp(String.raw`\b${field}\b`, 'gi');
/** What is taken out of a copy that people read has to be. */
const hiding = new RegExp(String.raw`\b(?:log(?:ger|ged)?|(?:${hidingWords}|safe|clean)\w*)\b`, 'i');
/** What ends the function that a place stands in, or begins another. */
const leaving = /=>|\bfunction\b|\}\s*\)|^\s*(?!if\b|for\b|while\b|switch\b|catch\b)(?:async\s+)?[\w$]+\([^()]*\)\s*\{/m;
/** Characters around a place in which it says what it is for. */
const around = 200;

interface Known {
  /** The files that hang together by imports. */
  readonly components: readonly (readonly { readonly file: string }[])[];
  /** Files that put something in the place of what sends every request. */
  readonly patchers: readonly string[];
  readonly textIn: (file: string) => string;
}

export function withTakenHeaders<P extends Pick<Plan, 'edits' | 'findings'>>(plan: P, { components, patchers, textIn }: Known): P {
  const renamed = Map.groupBy(
    plan.edits.filter(({ what }) => what === 'header name'),
    ({ file }) => file,
  );
  if (renamed.size === 0) return plan;
  const beside = new Set(
    components.filter((files) => files.some(({ file }) => renamed.has(file))).flatMap((files) => files.map(({ file }) => file)),
  );
  const edited = new Set(plan.edits.map(({ file }) => file));
  const found = [
    ...[...beside].flatMap((file) => (ofTests(file) ? [] : placesIn(file, [taking, answered], 'taken'))),
    ...[...edited].flatMap((file) => (ofTests(file) ? placesIn(file, [refusing], 'refused') : [])),
    ...patchers.flatMap((file) => (ofTests(file) ? [] : placesIn(file, [adding], 'added').slice(0, 1))),
  ].filter(notReportedBy(plan.findings));
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found].toSorted(byPlace) };

  function placesIn(file: string, patterns: readonly RegExp[], how: string): Finding[] {
    const text = textIn(file);
    const position = positionsOf(text);
    const isShown = (at: number): boolean => hiding.test(text.slice(Math.max(0, at - around), at + around));
    // `headers.delete('authorization'); headers.set('x-api-key', key)`: what is taken away makes room for the key.
    const isReplaced = (at: number): boolean =>
      renamed.get(file)?.some(({ start }) => at < start && start < at + 2 * around && !leaving.test(text.slice(at, start))) === true;
    const all = patterns
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .filter(({ index }) => how !== 'taken' || !(isShown(index) || isReplaced(index)));
    const findings = all.map(({ index: start, 0: { length } }): Finding => ({
      code: 'reads-header',
      file,
      start,
      end: start + length,
      ...position(start),
      detail: { how },
    }));
    const byLine = new Map(findings.map((finding) => [finding.line, finding]));
    return [...byLine.values()];
  }
}

const ofTests = (file: string): boolean => isTest({ file }) || standsInByName.test(file);
