/**
 * What a deployment by SAM gives to the parameters of the template beside it, in the place of their defaults:
 * https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/serverless-sam-cli-config.html
 */
import { slice } from '../text.ts';
import type { Named } from './definitions.ts';
import { type Data, type Scalar, childrenOf, entryOf, mapOf, mapsIn } from './tree.ts';

const configuration = /(?:^|\/)samconfig\.(?:toml|ya?ml)$/;
const template = /(?:^|\/)template\.(?:ya?ml|json)$/;
/** `Name=value`, `Name="value"`, `ParameterKey=Name,ParameterValue=value`, one behind the other. */
const override = /(?<!\S)(?:ParameterKey=(?<key>\w+),ParameterValue=|(?<name>\w+)=)(?<quote>["']?)(?<value>[^\s"',]+)\k<quote>(?!\S)/dg;

/** @returns parameters as variables that only files of this folder know: their default in the template, and what its configuration gives */
export function parametersIn(root: Data, file: string): Named[] {
  const named = (name: string, scalar: Scalar, start?: number, end?: number): Named[] =>
    scalar.text === undefined ? [] : [{ name: nameOf(name, file), value: slice(scalar.text, start ?? 0, end), scalar, owner: root }];
  if (root.kind !== 'map') return [];
  if (template.test(file))
    return (mapOf(root, /^Parameters$/)?.entries ?? []).flatMap(({ key, value }) => {
      const byDefault = value.kind === 'map' ? entryOf(value, /^Default$/)?.value : undefined;
      return byDefault?.kind === 'scalar' ? named(key.value, byDefault) : [];
    });
  if (!configuration.test(file) || isOfAnother(root)) return [];
  const texts = mapsIn(root).flatMap((map) => {
    const given = entryOf(map, /^parameter_overrides$/)?.value;
    return given === undefined ? [] : [given, ...childrenOf(given)].flatMap((each) => (each.kind === 'scalar' ? each : []));
  });
  return texts.flatMap((text) =>
    Array.from(text.value.matchAll(override), ({ groups = {}, indices }) => {
      const [start, end] = indices?.groups?.['value'] ?? [];
      return named(groups['key'] ?? groups['name'] ?? '', text, start, end);
    }).flat(),
  );
}

/** Whether it deploys a template that does not lie beside it under the usual name, or is built of that. */
const isOfAnother = (root: Data): boolean =>
  mapsIn(root).some((map) => {
    const named = entryOf(map, /^template(?:_file)?$/)?.value;
    return named !== undefined && !(named.kind === 'scalar' && ofThis.test(named.value));
  });

const ofThis = /^(?:\.\/)?(?:\.aws-sam\/build\/)?template\.(?:ya?ml|json)$/;

/** What no variable of the environment is called, and people know it by. */
function nameOf(parameter: string, file: string): string {
  const folder = file.slice(0, Math.max(0, file.lastIndexOf('/'))).replaceAll(/[^\w/-]/g, '_');
  return `parameter ${parameter}${folder === '' ? '' : ` of ${folder}`}`;
}
