/** The command line. */
import yargs from 'yargs';
import { messageOf } from '../config/errors.ts';
import { StoreError } from '../usage/store/error.ts';
import { migrateCommand } from './commands/migrate.ts';
import { openapiCommand } from './commands/openapi.ts';
import { proxyCommand } from './commands/proxy.ts';
import { reportCommand } from './commands/report.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { usageCommand } from './commands/usage.ts';
import { sourcesText } from './command.ts';
import { exitCodes, exitCodesText } from './exit-codes.ts';
import { packageJson } from './package-json.ts';

const widest = 120;
const ownError = `: an error of ${packageJson.name} itself; run again with --verbose and report what it says, without keys`;

function parser(args: readonly string[]) {
  const name = packageJson.name;
  return (
    yargs([...args])
      .scriptName(name)
      .usage('$0 [paths..] [flags]\n$0 <command> [flags]')
      .command(migrateCommand)
      .command(proxyCommand)
      .command(sandboxCommand)
      .command(reportCommand)
      .command(usageCommand)
      .command(openapiCommand)
      .example(`${name} proxy --sandbox`, 'Try the proxy with a sandbox behind it')
      .example(`${name} <command> --help`, 'List the flags of a command')
      .epilogue(`${sourcesText}\n\n${exitCodesText}`)
      .version(packageJson.version)
      .help()
      .alias('help', 'h')
      .locale('en')
      .wrap(Math.min(widest, process.stdout.columns || widest))
      // Flags reach src/config as they were written, which checks them and suggests.
      .parserConfiguration({
        'camel-case-expansion': false,
        'dot-notation': false,
        'parse-numbers': false,
        'parse-positional-numbers': false,
      })
      .exitProcess(false)
      .fail(false)
  );
}

/**
 * Runs a command line. A command that serves goes on after this returns, until a signal ends it.
 * @param args what follows the name of the program
 */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const cli = parser(args);
    if (args.length > 0) {
      await cli.parseAsync();
      return;
    }
    // Whoever says nothing does not mean "rewrite what is here".
    console.error(await cli.getHelp());
    process.exitCode = exitCodes.usage.code;
  } catch (error) {
    console.error(describe(error, args.includes('--verbose')));
    // At once: a server that started before another one failed would keep the process alive.
    process.exit(exitCodes[isOwn(error) || isBroken(error) ? 'failed' : 'usage'].code);
  }
}

/** Whether the tool itself is wrong, and not what it was given: the errors of guards, settings and the system have codes, those of yargs a name. */
const isOwn = (error: unknown): boolean => !(error instanceof Error && ('code' in error || error.name === 'YError'));

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
