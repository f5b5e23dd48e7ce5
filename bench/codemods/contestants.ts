/** Who takes part, and how each proves that it looked at the whole tree. */
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { v1Base } from './calls.ts';
import type { Run } from '../measure.ts';
import type { Tree } from './tree.ts';

export interface Contestant {
  readonly name: string;
  /** What follows `node`; the tree is the working directory. */
  readonly args: readonly string[];
  /** What says how much it found, where the measured run does not. */
  readonly proofArgs?: readonly string[];
  /** How much it found. */
  readonly found: (run: Run) => number;
  /** How much it has to find. */
  readonly expected: (tree: Tree) => number;
  /** Why it cannot take part here. */
  readonly absence?: string | undefined;
}

export const ours = 'migrate-v2';
/** jscodeshift with a transform that prints the same edits, and with one that only parses. */
export const printer = 'jscodeshift-print';
export const parser = 'jscodeshift-parse';

const require = createRequire(import.meta.url);
const peers = join(import.meta.dirname, 'peers');
/** A rule on strings alone also finds the other vendor's. */
const withLookalikes = ({ callers, lookalikes }: Tree): number => callers + lookalikes;

/** @param bin the command's file */
export function contestants(bin: string): readonly Contestant[] {
  const command = [bin, '.', '--v1-base', v1Base, '--dry-run'];
  return [
    { name: ours, args: command, proofArgs: [...command, '--format', 'json'], found: callsReported, expected: ({ calls }) => calls },
    { name: printer, args: jscodeshift('jscodeshift-print.cjs'), found: filesThat('ok'), expected: ({ callers }) => callers },
    { name: parser, args: jscodeshift('jscodeshift-parse.cjs'), found: filesThat('skipped'), expected: ({ files }) => files },
    {
      name: 'ast-grep',
      args: [join(peers, 'ast-grep.mjs')],
      found: ({ output }) => Number(output),
      expected: withLookalikes,
      absence: absenceOfAstGrep(),
    },
  ];
}

/** What CI runs on a tree that is done. */
export function checkArgs(bin: string): readonly string[] {
  return [bin, '.', '--v1-base', v1Base, '--check'];
}

/** The stock runner with its default of workers; its tsx parser takes all four dialects. */
function jscodeshift(transform: string): string[] {
  const flags = ['--dry', '--parser=tsx', '--extensions=ts,tsx,js,jsx', '--gitignore'];
  return [require.resolve('jscodeshift/bin/jscodeshift.js'), '-t', join(peers, transform), ...flags, '.'];
}

/** Its native part is not made for every platform. */
function absenceOfAstGrep(): string | undefined {
  try {
    require('@ast-grep/napi');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function callsReported({ output }: Run): number {
  const report: { readonly calls: readonly unknown[] } = JSON.parse(output);
  return report.calls.length;
}

const maxNamed = 5;

/** What a report in JSON says that a person has to look at, the first of it; undefined for other outputs. */
export function findingsReported({ output }: Pick<Run, 'output'>): string | undefined {
  if (!output.startsWith('{')) return undefined;
  const { findings }: { readonly findings: readonly Readonly<Record<'code' | 'file' | 'line', unknown>>[] } = JSON.parse(output);
  const named = findings.slice(0, maxNamed).map(({ code, file, line }) => `${code} ${file}:${line}`);
  return [`${findings.length} findings:`, ...named].join('\n');
}

/** The number of files that came to one of the ends that jscodeshift counts. */
const filesThat =
  (end: 'ok' | 'skipped') =>
  ({ output }: Run): number => {
    if (!/^0 errors$/m.test(output)) throw new Error(`jscodeshift could not read every file:\n${output.slice(-2000)}`);
    return Number(new RegExp(String.raw`^(\d+) ${end}$`, 'm').exec(output)?.[1]);
  };
