/** No base address is given: shows what was found, and asks which is ours. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Candidate } from '../../../codemods/model.ts';
import { plain } from '../../text/escape.ts';
import { counted, evidence } from '../../../codemods/report/report.ts';
import { ConfigError, firstLine } from '../../config/errors.ts';
import { readConfigFile } from '../../config/file.ts';
import { here, invocation, shellWord } from '../invocation.ts';
import type { Terminal } from '../terminal.ts';

const configName = 'migrate-v2.config.json';

/**
 * The command line to run again.
 * @param args what this one was given
 */
export const commandWith = (args: readonly string[], bases: readonly string[]): string =>
  plain([invocation(here()), ...args.map(shellWord), ...bases.map((base) => `--v1-base ${shellWord(base)}`)].join(' '));

/** As many commands are offered; the list above them has all candidates. */
const mostOffered = 5;

/** What to do where nobody can be asked: a command for each candidate, so that none that is pasted names another service beside this one. */
export const instructions = (candidates: readonly Candidate[], args: readonly string[]): string =>
  [
    `Nothing was changed: which of these is the base address of v1 is not known here. Run again with ${candidates.length === 1 ? 'it, if it is' : 'the one that is'}:`,
    ...candidates.slice(0, mostOffered).map(({ base }) => `  ${commandWith(args, [base])}`),
    ...stagesOf(candidates).flatMap((bases) => [
      '',
      'Where these are stages of one service, as one variable is set to them:',
      `  ${commandWith(args, bases)}`,
    ]),
    '',
  ].join('\n');

/** The bases that files set the same variable to: it moves with all of them, or stays. */
const stagesOf = (candidates: readonly Candidate[]): (readonly string[])[] => [
  ...new Map(
    candidates
      .filter(({ together }) => together.length > 0)
      .map(({ base, together }) => [base, ...together].toSorted())
      .map((bases) => [bases.join(' '), bases] as const),
  ).values(),
];

export interface Asked {
  readonly terminal: Terminal;
  /** Candidates as lines, with their call sites. */
  readonly shown: readonly string[];
  /** Whether a configuration file is in use already: then none is offered. */
  readonly isConfigured: boolean;
  /** Takes what is to be confirmed as confirmed. */
  readonly yes: boolean;
}

export interface Chosen {
  /** None where the person chose none, or left. */
  readonly bases: readonly string[];
  /** Whether the configuration file shall hold them. */
  readonly isToRemember: boolean;
}

/** Asks which of the candidates are ours, and offers to remember the answer. */
export async function askForBases(candidates: readonly Candidate[], { terminal, shown, isConfigured, yes }: Asked): Promise<Chosen> {
  terminal.show(['No base address of v1 is given. Calls that look like v1 go to:', '', ...shown, ''].join('\n'));
  const choices = candidates.map((candidate) => ({
    value: candidate.base,
    label: plain(candidate.base),
    hint: evidence(candidate).join(', '),
  }));
  const bases = (await terminal.some('Which of them are this service, and shall be moved?', choices)) ?? [];
  if (bases.length === 0 || isConfigured) return { bases, isToRemember: false };
  const isToRemember = yes || (await terminal.confirm(`Remember ${counted(bases.length, 'base')} in ${configName}?`));
  // Whoever leaves here wants nothing to happen, not to happen without being remembered.
  return isToRemember === undefined ? { bases: [], isToRemember: false } : { bases, isToRemember };
}

/** Whether the working directory has a configuration file, or one is named. */
export async function hasConfigFile(cwd: string, given: string | undefined): Promise<boolean> {
  return given !== undefined || (await readConfigFile(cwd)) !== undefined;
}

/**
 * Writes the configuration file.
 * @throws ConfigError where it cannot be written
 */
export async function remember(bases: readonly string[], cwd: string): Promise<void> {
  const text = `${JSON.stringify({ migrate: { v1Base: bases } }, null, 2)}\n`;
  // Never in place of another file: `wx` also refuses one that was made just now, and a link.
  await writeFile(join(cwd, configName), text, { flag: 'wx' }).catch((cause: unknown) => {
    throw new ConfigError({ code: 'CONFIG_INVALID', key: configName, problem: `cannot be written: ${firstLine(cause)}`, cause });
  });
  console.error(`Wrote ${configName}`);
}
