/** Finds and reads the configuration file. */
import { access, readFile, stat } from 'node:fs/promises';
import { dirname, extname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse as parseJson } from 'lossless-json';
import { ConfigError, firstLine, messageOf } from './errors.ts';
import { configExtensions } from './setting.ts';

export interface ConfigFile {
  readonly content: Readonly<Record<string, unknown>>;
  /** The path as messages name it, relative to the working directory. */
  readonly name: string;
  /** Paths in the file are relative to this folder. */
  readonly folder: string;
  /** What was read; undefined of a module. */
  readonly text: string | undefined;
}

interface Read {
  readonly value: unknown;
  readonly text: string | undefined;
}
type Reader = (path: string) => Promise<Read>;

const readText = async (path: string): Promise<string> => (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
const readJson: Reader = async (path) => {
  const text = await readText(path);
  try {
    // Unlike JSON.parse it refuses a key given twice, and its messages do not quote the text, which may hold a secret.
    return { text, value: parseJson(text, undefined, Number) };
  } catch (error) {
    const message = messageOf(error).replaceAll('\n', ' ');
    throw new Error(
      message.replace(/position (\d+)/, (_, at) => `line ${text.slice(0, Number(at)).split('\n').length}`),
      { cause: error },
    );
  }
};
const readYaml: Reader = async (path) => {
  const { parse } = await import('yaml');
  const text = await readText(path);
  return { text, value: parse(text, { logLevel: 'error' }) };
};
const readModule: Reader = async (path) => {
  const url = pathToFileURL(path);
  // A module is loaded once for each address: one that has changed since needs another.
  url.searchParams.set('at', String((await stat(path)).mtimeMs));
  const exported: { readonly default?: unknown } = await import(url.href);
  if (exported.default === undefined) throw new Error('it has no default export');
  return { text: undefined, value: exported.default };
};

const readers = { json: readJson, yaml: readYaml, yml: readYaml, js: readModule, ts: readModule } satisfies Record<
  (typeof configExtensions)[number],
  Reader
>;

/**
 * Reads the configuration file: the given one, or the one in the working directory.
 * @param cwd the working directory
 * @param given the path of `--config` and where that was said
 * @returns undefined where none is given and none is there
 * @throws ConfigError where it cannot be read, where two are there, or where it does not hold a table of settings
 */
export async function readConfigFile(
  cwd: string,
  given?: { readonly path: string; readonly source: string },
): Promise<ConfigFile | undefined> {
  const path = given === undefined ? await findConfigFile(cwd) : resolve(cwd, given.path);
  if (path === undefined) return undefined;
  const name = relative(cwd, path);
  const fail = (problem: string, cause?: unknown) =>
    new ConfigError({ code: 'CONFIG_UNREADABLE', key: name, problem, source: given?.source, cause });

  const extension = configExtensions.find((known) => extname(path) === `.${known}`);
  if (extension === undefined) throw fail(`must end in one of .${configExtensions.join(', .')}`);
  const read = await readers[extension](path).catch((error: unknown) => {
    throw fail(`cannot be read: ${firstLine(error)}`, error);
  });
  // An empty YAML file is null.
  const content = read.value ?? {};
  if (!isTable(content)) throw fail('must hold a table of settings');
  return { content, name, folder: dirname(path), text: read.text };
}

async function findConfigFile(cwd: string): Promise<string | undefined> {
  const candidates = configExtensions.map((extension) => `migrate-v2.config.${extension}`);
  const there = await Promise.all(
    candidates.map((name) =>
      access(resolve(cwd, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  const [first, second] = candidates.filter((_, index) => there[index]);
  if (first !== undefined && second !== undefined) {
    throw new ConfigError({
      code: 'CONFIG_CONFLICT',
      key: '--config',
      problem: `both ${first} and ${second} are here; remove one or say which`,
    });
  }
  return first === undefined ? undefined : resolve(cwd, first);
}

export const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
