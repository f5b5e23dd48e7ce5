/** The command line. */
import yargs from 'yargs';
import { ConfigError, messageOf } from '../config/errors.ts';
import { commands } from '../config/settings.ts';
import { didYouMean } from '../config/suggest.ts';
import { openapiCommand } from './commands/openapi.ts';
import { proxyCommand } from './commands/proxy.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { sourcesText } from './command.ts';
import { exitCodes, exitCodesText } from './exit-codes.ts';
import { packageJson } from './package-json.ts';

const widest = 120;

function parser(args: readonly string[]) {
  const name = packageJson.name;
  return (
    yargs([...args])
      .scriptName(name)
      .usage('$0 <command> [flags]')
      .command(proxyCommand)
      .command(sandboxCommand)
      .command(openapiCommand)
      .example(`${name} proxy --sandbox`, 'Try the proxy with a sandbox behind it')
      .example(`${name} proxy --v2-base https://api.example.com`, 'Translate v1 calls for the real v2')
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
    const { _: positionals, $0: _name, h: _h, help, version, ...flags } = await cli.parseAsync();
    const [command] = positionals;
    if (help || version || commands.some((known) => known === command)) return;
    if (command !== undefined) throw unknownCommand(String(command));
    const [flag] = Object.keys(flags);
    if (flag !== undefined) throw flagWithoutCommand(flag);
    console.error(await cli.getHelp());
    process.exitCode = exitCodes.usage.code;
  } catch (error) {
    console.error(describe(error, args.includes('--verbose')));
    // At once: a server that started before another one failed would keep the process alive.
    process.exit(exitCodes.usage.code);
  }
}

function unknownCommand(command: string): ConfigError {
  const problem = `no such command${didYouMean(command, commands) || `; ${packageJson.name} --help lists them`}`;
  return new ConfigError({ code: 'CONFIG_UNKNOWN', key: command, problem });
}

function flagWithoutCommand(flag: string): ConfigError {
  const problem = `comes without a command; write ${commands.map((command) => `${packageJson.name} ${command}`).join(' or ')} before it`;
  return new ConfigError({ code: 'CONFIG_UNKNOWN', key: `--${flag}`, problem });
}

/** One line for people; with the stack for those who look for the fault. */
function describe(error: unknown, verbose: boolean): string {
  const line = `${packageJson.name}: ${messageOf(error).replace(/\s*\n\s*/g, ' ')}`;
  return verbose && error instanceof Error ? `${line}\n${error.stack}` : line;
}
