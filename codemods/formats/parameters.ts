/** What a deployment by SAM or CloudFormation gives to parameters of a template: `Name=value`, one behind the other. */
import { type Text, slice } from './text.ts';
import type { Definition } from './variables.ts';

/** `Name=value`, `Name="value"`, `ParameterKey=Name,ParameterValue=value`. */
const override = /(?<!\S)(?:ParameterKey=(?<key>\w+),ParameterValue=|(?<name>\w+)=)(?<quote>["']?)(?<value>[^\s"',]+)\k<quote>(?!\S)/dg;

/** @param folder of the template */
export const overridesIn = (text: Text, folder: string): Definition[] =>
  Array.from(text.value.matchAll(override), ({ groups = {}, indices }) => {
    const [start = 0, end] = indices?.groups?.['value'] ?? [];
    return { name: parameterOf(groups['key'] ?? groups['name'] ?? '', folder), value: slice(text, start, end) };
  });

/** What no variable of the environment is called, and people know it by. */
export const parameterOf = (parameter: string, folder: string): string =>
  `parameter ${parameter}${folder === '' ? '' : ` of ${folder.replaceAll(/[^\w/-]/g, '_')}`}`;

/** No program reads such a one: it gets the variable that the template sets to it. */
export const isParameter = (name: string): boolean => name.startsWith('parameter ');

export const folderOf = (file: string): string => file.slice(0, Math.max(0, file.lastIndexOf('/')));

const ofPipeline =
  /(?:^|\/)\.(?:github\/workflows|circleci)\/[^/]+$|(?:^|\/)[\w.-]*(?:gitlab-ci|azure-pipelines|bitbucket-pipelines|buildspec)[\w.-]*$/;
/** People start these from the folder above, where the template lies: SAM looks for it where it is started. */
const ofScripts = /(?:^|\/)(?:scripts?|bin|tools|\.?ci)\/[^/]+$/;
/** What is run elsewhere than where the file lies. */
const moves = /\b(?:cd|pushd)\s|working-directory/;
const usual = /^(?:\.\/)?(?:template|packaged)\.(?:ya?ml|json)$/;

/**
 * What a command gives: `sam deploy --parameter-overrides Name=value`.
 * @param source the whole file: where it goes somewhere else first, nobody knows of which template it speaks
 */
export function overridesOf(words: readonly Text[], source: { readonly file: string; readonly text: string }): Definition[] {
  const from = words.findIndex(({ value }) => value === '--parameter-overrides');
  if (from === -1 || !/^(?:sam|aws)$/.test(words[0]?.value ?? '') || moves.test(source.text)) return [];
  const named = words.findIndex(({ value }) => /^(?:-t|--template(?:-file)?)$/.test(value));
  if (words.some(({ value }) => /^--template[\w-]*=/.test(value)) || (named !== -1 && !usual.test(words[named + 1]?.value ?? '')))
    return [];
  const given = words.slice(from + 1);
  const until = given.findIndex(({ value }) => value.startsWith('-'));
  const folder = folderOf(source.file.replace(ofPipeline, '/').replace(ofScripts, '/'));
  // `"Url=https://… Key=$KEY"`: beside what a variable has stands what is written out.
  const overrides = given.slice(0, until === -1 ? undefined : until).flatMap((word) => overridesIn(word, folder));
  return overrides.filter(({ value }) => !value.value.includes('$'));
}
