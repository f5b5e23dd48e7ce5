import { type Command, environmentOf, flagOf, hasVariable, type Setting } from './setting.ts';
import { settingsOf } from './settings.ts';

/** What the setting is without being given, in words for documents and `--help`. */
export function defaultText(row: Setting): string {
  if (row.otherwise !== undefined) return row.otherwise;
  return typeof row.default === 'object' ? 'none' : String(row.default);
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => `\`${text}\``;

function tableRow(row: Setting): string {
  const value = row.otherwise === undefined && typeof row.default !== 'object' ? code(defaultText(row)) : defaultText(row);
  const cells =
    row.only === 'file'
      ? ['–', code(row.name), '–']
      : [
          row.positional ? code(`[${row.name}..]`) : code(`--${flagOf(row)}`),
          row.only === 'flag' ? '–' : code(row.name),
          hasVariable(row) ? code(environmentOf(row)) : '–',
        ];
  return `| ${[...cells, value, row.description].map(cell).join(' | ')} |`;
}

/** The settings of a command as a Markdown table: flag, key in the file, environment variable, default, description. */
export function settingsTable(command: Command): string {
  const head = ['| Flag | In the file | Environment | Default | What it is |', '|---|---|---|---|---|'];
  return [...head, ...settingsOf(command).map(tableRow)].join('\n');
}
