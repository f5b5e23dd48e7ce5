/** `migrate-v2 usage import`: reads access logs of what v1 traffic passes beside the proxies. */
import { ConfigError } from '../../config/errors.ts';
import { logFormats } from '../../config/log-formats.ts';
import type { Settings } from '../../config/settings.ts';
import { counted } from '../../report/text/figures.ts';
import { plain } from '../../text/escape.ts';
import { or } from '../../text/list.ts';
import { BrokenOff, importLog, type ImportOptions, type LogFigures, logTools, UnknownFormat } from '../../usage/logs/import-log.ts';
import { StoreError } from '../../usage/store/error.ts';
import { stagedName } from '../../usage/store/logs.ts';
import { openLogWriter } from '../../usage/store/open.ts';
import type { LogWriter } from '../../usage/store/store.ts';
import { exitCodes } from '../exit-codes.ts';
import { lineOf, progressLine } from '../progress-line.ts';
import { requireStore } from './erase.ts';
import { exampleText } from './import/example.ts';
import { figuresText, Found, hostWarning } from './import/figures.ts';
import { openLog, sizeOf, stdinName } from './import/open-log.ts';

/** Of the lines that seem to be of v1, so many may be unreadable before somebody has to look. */
const toleratedShare = 0.01;

/**
 * Imports logs, one after another. One that cannot be read keeps none of the others.
 * @throws ConfigError where nothing, or what cannot be, is asked for
 * @throws StoreError
 */
export async function importLogs(settings: Settings<'usage'>): Promise<void> {
  const options = optionsOf(settings);
  requireStore(settings.store);
  const writer = await openLogWriter(settings.store);
  try {
    const { logs, anew, source = '' } = settings;
    if (anew) await importAnew(source, logs, writer, options);
    else tell(await importAll(logs, writer, options));
  } finally {
    await writer.close();
  }
}

const fail = (key: string, problem: string, code: 'CONFIG_MISSING' | 'CONFIG_CONFLICT'): ConfigError =>
  new ConfigError({ code, key, problem });

/** @throws ConfigError */
function optionsOf({ logs, source, format, pattern, field, host, skipNetwork, anew, hashSecret }: Settings<'usage'>): ImportOptions {
  if (logs.length === 0 && !anew)
    throw fail('usage import', `needs access logs: names of files, or ${stdinName} for stdin`, 'CONFIG_MISSING');
  if (anew && source === undefined) throw fail('--anew', 'needs --source, the name of what is to be forgotten', 'CONFIG_CONFLICT');
  if (logs.filter((name) => name === stdinName).length > 1)
    throw fail(stdinName, 'is given twice, and can be read once', 'CONFIG_CONFLICT');
  if (format === 'pattern' && pattern === undefined) throw fail('--format pattern', 'needs --pattern', 'CONFIG_CONFLICT');
  if (pattern !== undefined && format !== undefined && format !== 'pattern')
    throw fail('--pattern', `is of no use with --format ${format}: keep one of them`, 'CONFIG_CONFLICT');
  return {
    source,
    format: pattern === undefined ? format : 'pattern',
    pattern,
    fields: field,
    host,
    skipNetworks: skipNetwork,
    hashSecret,
    now: Date.now(),
  };
}

/** Forgets a source, where there are logs to take its place when all of them were read: nobody may look safe for a name that was mistyped. */
async function importAnew(source: string, logs: readonly string[], writer: LogWriter, options: ImportOptions): Promise<void> {
  const by = stagedName(source);
  const staged: LogWriter = { ...writer, add: (batch) => writer.add({ ...batch, source: by }) };
  const done = logs.length === 0 ? 'all' : await importAll(logs, staged, options);
  const forgotten = await (done !== 'all' ? 'nothing' : logs.length === 0 ? writer.forget(source) : writer.replace(source, by));
  if (forgotten === 'nothing') {
    await writer.forget(by);
    console.error(`source ${plain(source)}: stays as it was, with all its calls`);
    return tell(done === 'all' ? 'failed' : done);
  }
  const known = forgotten === undefined ? 'nothing was known of it' : `${counted(forgotten, 'v1 call')} forgotten`;
  console.error(`source ${plain(source)}: ${known}`);
}

/** What of the logs could be read: `unclear` is too little of their lines. */
type Done = 'all' | 'failed' | 'unclear';

function tell(done: Done): void {
  if (done === 'failed') process.exitCode = exitCodes.failed.code;
  else if (done === 'unclear') process.exitCode = exitCodes.remaining.code;
}

async function importAll(names: readonly string[], writer: LogWriter, options: ImportOptions): Promise<Done> {
  const found = new Found();
  const tools = logTools(writer, options);
  const total = await sizeOf(names);
  let done = 0;
  const progress = progressLine<string>(process.stderr, (at, columns) =>
    lineOf(
      {
        label: 'Reading logs',
        share: total === undefined ? undefined : done / Math.max(total, 1),
        counts: sizeText(done, total),
        more: '',
        at,
      },
      columns,
    ),
  );
  let [failed, unclear] = [false, false];
  for (const name of names) {
    try {
      const { chunks, isWhole } = await openLog(name, (bytes) => {
        done += bytes;
        progress.update(name);
      });
      const figures = await importLog(chunks, isWhole, tools, (caller, kind, calls) => found.add(caller, kind, calls));
      progress.hide();
      console.log(figuresText(name, figures));
      const warning = hostWarning(name, options.host, figures);
      if (warning !== undefined) console.error(warning);
      for (const text of figures.examples) console.error(`  not read: ${exampleText(text)}`);
      unclear ||= isUnclear(figures);
    } catch (error) {
      progress.hide();
      if (error instanceof StoreError) throw error;
      failed = true;
      if (error instanceof BrokenOff) console.log(figuresText(name, error.figures));
      console.error(`${plain(name)}: ${problemOf(error instanceof BrokenOff ? error.cause : error)}`);
    }
  }
  progress.end();
  for (const line of found.lines()) console.log(line);
  return failed ? 'failed' : unclear ? 'unclear' : 'all';
}

const isUnclear = ({ unread, calls, ofProxies }: LogFigures): boolean => unread > (unread + calls + ofProxies) * toleratedShare;

const megabytes = (bytes: number): string => (bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 0 });
const sizeText = (done: number, total: number | undefined): string =>
  total === undefined ? `${megabytes(done)} MB` : `${megabytes(done)} of ${megabytes(total)} MB`;

function problemOf(error: unknown): string {
  if (error instanceof UnknownFormat) {
    const formats = or(logFormats.filter((format) => format !== 'pattern'));
    const remedy = `give --format ${formats}; for JSON with other names --field name=FIELD; for anything else --pattern`;
    return [`no format fits; ${remedy}. It begins with:`, ...error.lines.map((text) => `  ${exampleText(text)}`)].join('\n');
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = error instanceof Error ? error.message : String(error);
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'is a folder; give its files';
  if (code === 'EACCES') return 'may not be read by you';
  if (/^Z_|^ERR_ZSTD|^ZSTD/.test(code)) return `its compression is damaged (${reason}); what was read until there counts`;
  return plain(reason);
}
