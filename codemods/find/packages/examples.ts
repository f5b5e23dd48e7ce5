/**
 * Data that a program imports and that stands in no repository, as it has keys in it: people copy an example, `config.example.json`, to `config.json`, and
 * change what is theirs. The example says what the settings are for, as `.env.example` does.
 */
import { posix } from 'node:path';
import { isDataFile } from '../kinds.ts';

const marks = 'example|sample|template|dist|default';

/** `config.example.json`, `config-sample.json`, `example.config.json`, `config.json.example` */
const marked = new RegExp(
  [
    String.raw`^(?<stem>.+)[._-](?:${marks})(?<extension>\.\w+)$`,
    String.raw`^(?:${marks})[._-](?<rest>.+\.\w+)$`,
    String.raw`^(?<whole>.+\.(?:jsonc?|ya?ml|toml))\.\w+$`,
  ].join('|'),
);

/** What people call their copy of a file of data, if that is an example by its name. */
export function copyOf(file: string): string | undefined {
  const { stem, extension = '', rest, whole } = (isDataFile.test(file) ? marked.exec(posix.basename(file))?.groups : undefined) ?? {};
  const name = whole ?? rest ?? (stem === undefined ? undefined : stem + extension);
  return name === undefined ? undefined : posix.join(posix.dirname(file), name);
}

/**
 * The examples whose copies are in none of the files, by the names of these. Of two for one copy nobody knows which was copied.
 * @param modules all files that can be imported
 */
export function examplesIn(modules: ReadonlySet<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>();
  for (const file of modules) {
    const copy = copyOf(file);
    if (copy !== undefined && !modules.has(copy)) found.set(copy, found.has(copy) ? undefined : file);
  }
  return new Map([...found].flatMap(([copy, example]) => (example === undefined ? [] : [[copy, example] as const])));
}
