/**
 * YAML that is a template, as Helm and Ansible have it: what stands in braces is put in before anybody parses it. It is read as if there were
 * nothing where an action has lines of its own, so that both branches of a condition are there, and a word elsewhere.
 */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Named } from './definitions.ts';
import { type Data, type Scalar, scalar } from './tree.ts';

const action = /(?<!\$)(?:\{\{[^{}]*\}\}|\{%[^{}%]*%\})/g;
const alone = /^[ \t]*(?:(?:\{\{[^{}]*\}\}|\{%[^{}%]*%\})[ \t]*)+$/gm;

export const isTemplate = (text: string): boolean => /(?<!\$)\{\{|\{%/.test(text);

/** @returns a text as long, with the same lines, that can be parsed */
export const masked = (source: string): string =>
  source.replaceAll(alone, (found) => found.replaceAll(/[^\r\n]/g, ' ')).replaceAll(action, (found) => found.replaceAll(/[^\r\n]/g, 'x'));

/** A value of the masked text as the file has it. */
export function unmasked(masked: Scalar, source: string): Scalar {
  const { text } = masked;
  if (text === undefined) return masked;
  const value = text.at.map((offset, i) => (text.value[i] === 'x' ? (source[offset] ?? 'x') : (text.value[i] ?? ''))).join('');
  return scalar(masked, value, () => ({ ...text, value }));
}

/** A chart of Helm has what its templates read as `.Values.api.url` in files of this name. */
export const isValues = (file: string): boolean => /(?:^|\/)values\b[\w.-]*\.ya?ml$/.test(file);
/** `- name: API_URL` with `value: {{ .Values.api.url | quote }}`, and `API_URL: {{ .Values.api.url }}`. */
const setting =
  /(?:\bname:\s*["']?([A-Z][A-Z\d_]*)["']?\s*,?\s*value|^\s*["']?([A-Z][A-Z\d_]*)["']?):\s*["']?\{\{-?\s*\$?\.Values((?:\.\w+)+)(?:\s*\|\s*\w+)*\s*-?\}\}["']?\s*\}?\s*$/gm;

/**
 * @param others files of the run, among which are the chart's templates
 * @returns the variables that the templates set to what stands in a file of values, where they do nothing else with it
 */
export function valuesIn(root: Data, file: string, others: readonly Pick<SourceText, 'file' | 'text'>[]): Named[] {
  if (!isValues(file)) return [];
  const folder = `${file.slice(0, file.lastIndexOf('/') + 1)}templates/`;
  const templates = others.flatMap((other) => (other.file.startsWith(folder) ? other.text : []));
  const settings = templates.flatMap((text) => [...text.matchAll(setting)]);
  const uses = Map.groupBy(
    templates.flatMap((text) => Array.from(text.matchAll(/\.Values((?:\.\w+)*)/g), ([, path = '']) => path)),
    (path) => path,
  );
  const byPath = Map.groupBy(settings, ([, , , path = '']) => path);
  return [...byPath].flatMap(([path, found]): Named[] => {
    const steps = path.split('.').slice(1);
    // `toYaml .Values.api`, `with .Values`: what is done with all of it, is done with each.
    const isAlone = steps.every((_, i) => !uses.has(['', ...steps.slice(0, i)].join('.')));
    const value = steps.reduce<Data | undefined>((data, step) => valueOf(data, step), root);
    if (value?.kind !== 'scalar' || value.text === undefined || !isAlone || uses.get(path)?.length !== found.length) return [];
    const { text } = value;
    return [...new Set(found.map(([, name, key = name]) => key ?? ''))].map((name) => ({ name, value: text, scalar: value, owner: root }));
  });
}

const valueOf = (data: Data | undefined, name: string): Data | undefined =>
  data?.kind === 'map' ? data.entries.find(({ key }) => key.value === name)?.value : undefined;
