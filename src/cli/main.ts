/** The command line. */
import { messageOf } from '../config/errors.ts';
import { StoreError } from '../usage/store/error.ts';
import { type Arguments, readArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { migrateCommand } from './commands/migrate.ts';
import { openapiCommand } from './commands/openapi.ts';
import { proxyCommand } from './commands/proxy.ts';
import { reportCommand } from './commands/report.ts';
import { rolloutCommand } from './commands/rollout.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { usageCommand } from './commands/usage.ts';
import { exitCodes } from './exit-codes.ts';
import { packageJson } from './package-json.ts';

/** In the order in which `--help` lists them; the first one needs no name. */
const commands = [migrateCommand, proxyCommand, sandboxCommand, rolloutCommand, reportCommand, usageCommand, openapiCommand];
const ownError = `: an error of ${packageJson.name} itself; run again with --verbose and report what it says, without keys`;

/** The command that is called, and what is given to it. Only once it is known, its flags are. */
function called(args: readonly string[]): { readonly command: Command; readonly given: Arguments } {
  const { words, isHelp } = readArguments(args, []);
  const named = commands.find((each) => each.words[0] !== undefined && each.words[0] === words[0]) ?? migrateCommand;
  const command = named.parts.find((part) => part.words[1] === words[1]) ?? named;
  const given = readArguments(args, [...command.rows, ...(command.positional === undefined ? [] : [command.positional])]);
  return { command, given: { ...given, isHelp: isHelp || given.isHelp } };
}

async function help(command: Command): Promise<string> {
  const { helpOf } = await import('./help.ts');
  return helpOf(command, { name: packageJson.name, commands }, process.stdout.columns);
}

/**
 * Runs a command line. A command that serves goes on after this returns, until a signal ends it.
 * @param args what follows the name of the program
 */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const { command, given } = called(args);
    if (args.length === 0) {
      // Whoever says nothing does not mean "rewrite what is here".
      console.error(await help(command));
      process.exitCode = exitCodes.usage.code;
    } else if (given.isHelp) console.log(await help(command));
    else if (given.isVersion) console.log(packageJson.version);
    else await command.run(given);
  } catch (error) {
    console.error(describe(error, args.includes('--verbose')));
    // At once: a server that started before another one failed would keep the process alive.
    process.exit(exitCodes[isOwn(error) || isBroken(error) ? 'failed' : 'usage'].code);
  }
}

/** Whether the tool itself is wrong, and not what it was given: the errors of guards, settings and the system have codes. */
const isOwn = (error: unknown): boolean => !(error instanceof Error && 'code' in error);

/** Whether the usage store is at fault, and not the address that was given for it. */
const isBroken = (error: unknown): boolean => error instanceof StoreError && !['STORE_ADDRESS', 'STORE_MISSING'].includes(error.code);

/** One line for people; with the stack for those who look for the fault. */
function describe(error: unknown, verbose: boolean): string {
  // File names and hosts in messages are other people's text, and a terminal obeys control characters.
  const line = `${packageJson.name}: ${messageOf(error)
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\p{Cc}/gu, '\uFFFD')}${isOwn(error) ? ownError : ''}`;
  return verbose && error instanceof Error ? `${line}\n${error.stack}` : line;
}
