/**
 * YAML that is a template, as Helm and Ansible have it: what stands in braces is put in before anybody parses it. It is read as if there were
 * nothing where an action has lines of its own, so that both branches of a condition are there, and a word elsewhere.
 */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Named } from './definitions.ts';
import { isValues } from '../../find/files/charts.ts';
import { slice } from '../text.ts';
import { type Data, type Scalar, scalar } from './tree.ts';

const filledIn = /(?<!\$)(?:\{\{[^{}]*\}\}|\{%[^{}%]*%\})/g;
const alone = /^[ \t]*(?:(?:\{\{[^{}]*\}\}|\{%[^{}%]*%\})[ \t]*)+$/gm;

export const isTemplate = (text: string): boolean => /(?<!\$)\{\{|\{%/.test(text);

/** @returns a text as long, with the same lines, that can be parsed */
export const masked = (source: string): string =>
  source.replaceAll(alone, (found) => found.replaceAll(/[^\r\n]/g, ' ')).replaceAll(filledIn, (found) => found.replaceAll(/[^\r\n]/g, 'x'));

/** A value of the masked text as the file has it. */
export function unmasked(masked: Scalar, source: string): Scalar {
  const { text } = masked;
  if (text === undefined) return masked;
  const value = text.at.map((offset, i) => (text.value[i] === 'x' ? (source[offset] ?? 'x') : (text.value[i] ?? ''))).join('');
  return scalar(masked, value, () => ({ ...text, value }));
}

/** `.Values.api.url | default "https://…" | quote`, `default "https://…" .Values.api.url`, `required "…" .Values.api.url`. */
const text = String.raw`"(?:[^"\\{}]|\\.)*"`;
const action = String.raw`\{\{-?\s*(?:(?:default|required)\s+${text}\s+)?\$?\.Values(?<path>(?:\.\w+)+)(?:\s*\|\s*(?:default\s+${text}|trimSuffix\s+"/"|\w+))*\s*-?\}\}`;
/** `- name: API_URL` with `value: {{ .Values.api.url | quote }}`, and `API_URL: {{ .Values.api.url }}`. */
const setting = new RegExp(
  String.raw`(?:\bname:\s*["']?(?<item>[A-Z][A-Z\d_]*)["']?\s*,?\s*value|^\s*["']?(?<key>[A-Z][A-Z\d_]*)["']?):\s*["']?${action}["']?\s*\}?\s*$`,
  'gm',
);
/** Whether there is something is all that is asked. */
const condition = /\{\{-?\s*(?:else\s+)?if\s+(?:(?:and|or|not)\s+)?(?:\$?\.Values(?:\.\w+)+\s*)+-?\}\}/g;
const whole = new RegExp(`^${action}$`);

/** What templates set variables to where no file of values says another: a default that stands in the template. */
export const defaultsIn = (definitions: readonly Named[]): Named[] =>
  definitions.flatMap(({ value, ...named }) => {
    if (!whole.test(value.value)) return [];
    const [, found] = /\bdefault\s+"([^"\\]*)"/d.exec(value.value)?.indices ?? [];
    return found === undefined || found[0] === found[1] ? [] : [{ ...named, value: slice(value, ...found) }];
  });

/**
 * @param others files of the run, among which are the chart's templates
 * @returns the variables that the templates set to what stands in a file of values, where they do nothing else with it
 */
export function valuesIn(root: Data, file: string, others: readonly Pick<SourceText, 'file' | 'text'>[]): Named[] {
  if (!isValues(file)) return [];
  const folder = `${file.slice(0, file.lastIndexOf('/') + 1)}templates/`;
  const templates = others.flatMap((other) => (other.file.startsWith(folder) ? other.text.replaceAll(condition, '') : []));
  const settings = templates.flatMap((text) => [...text.matchAll(setting)]);
  const uses = Map.groupBy(
    templates.flatMap((text) => Array.from(text.matchAll(/\.Values((?:\.\w+)*)/g), ([, path = '']) => path)),
    (path) => path,
  );
  const byPath = Map.groupBy(settings, ({ groups }) => groups?.['path'] ?? '');
  return [...byPath].flatMap(([path, found]): Named[] => {
    const steps = path.split('.').slice(1);
    // `toYaml .Values.api`, `with .Values`: what is done with all of it, is done with each.
    const isAlone = steps.every((_, i) => !uses.has(['', ...steps.slice(0, i)].join('.')));
    const value = steps.reduce<Data | undefined>((data, step) => valueOf(data, step), root);
    if (value?.kind !== 'scalar' || value.text === undefined || !isAlone || uses.get(path)?.length !== found.length) return [];
    const { text } = value;
    const names = new Set(found.map(({ groups = {} }) => groups['item'] ?? groups['key'] ?? ''));
    return [...names].map((name) => ({ name, value: text, scalar: value, owner: root }));
  });
}

const valueOf = (data: Data | undefined, name: string): Data | undefined =>
  data?.kind === 'map' ? data.entries.find(({ key }) => key.value === name)?.value : undefined;
