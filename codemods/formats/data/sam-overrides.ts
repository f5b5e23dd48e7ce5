/**
 * What a deployment by SAM gives to the parameters of the template beside it, in the place of their defaults:
 * https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/serverless-sam-cli-config.html
 */
import { folderOf, overridesIn, parameterOf } from '../parameters.ts';
import type { Named } from './definitions.ts';
import { type Data, childrenOf, entryOf, mapOf, mapsIn } from './tree.ts';

const configuration = /(?:^|\/)samconfig\.(?:toml|ya?ml)$/;
const template = /(?:^|\/)template\.(?:ya?ml|json)$/;
/** @returns parameters as variables that only files of this folder know: their default in the template, and what its configuration gives */
export function parametersIn(root: Data, file: string): Named[] {
  const folder = folderOf(file);
  if (root.kind !== 'map') return [];
  if (template.test(file))
    return (mapOf(root, /^Parameters$/)?.entries ?? []).flatMap(({ key, value }) => {
      const byDefault = value.kind === 'map' ? entryOf(value, /^Default$/)?.value : undefined;
      return byDefault?.kind !== 'scalar' || byDefault.text === undefined
        ? []
        : [{ name: parameterOf(key.value, folder), value: byDefault.text, scalar: byDefault, owner: root }];
    });
  if (!configuration.test(file) || isOfAnother(root)) return [];
  const texts = mapsIn(root).flatMap((map) => {
    const given = entryOf(map, /^parameter_overrides$/)?.value;
    return given === undefined ? [] : [given, ...childrenOf(given)].flatMap((each) => (each.kind === 'scalar' ? each : []));
  });
  return texts.flatMap((scalar) =>
    scalar.text === undefined ? [] : overridesIn(scalar.text, folder).map((each) => ({ ...each, scalar, owner: root })),
  );
}

/** Whether it deploys a template that does not lie beside it under the usual name, or is built of that. */
const isOfAnother = (root: Data): boolean =>
  mapsIn(root).some((map) => {
    const named = entryOf(map, /^template(?:_file)?$/)?.value;
    return named !== undefined && !(named.kind === 'scalar' && ofThis.test(named.value));
  });

const ofThis = /^(?:\.\/)?(?:\.aws-sam\/build\/)?template\.(?:ya?ml|json)$/;
