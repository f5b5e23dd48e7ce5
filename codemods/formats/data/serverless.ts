/**
 * Serverless Framework: https://www.serverless.com/framework/docs/guides/variables. `${self:custom.url.${sls:stage}}` is what stands there in the same
 * file, and `${param:url}` what `params` has for a stage.
 */
import type { Definition } from '../variables.ts';
import { type Data, entryOf } from './tree.ts';

/** What is known of a place under each name that it may be asked for by: one of its keys may hang on the stage. */
export function selfIn(root: Data): Definition[] {
  if (root.kind !== 'map' || entryOf(root, /^service$/) === undefined || entryOf(root, /^provider$/) === undefined) return [];
  const found: Definition[] = [];
  const visit = (data: Data, path: readonly string[]): void => {
    if (data.kind === 'map') for (const { key, value } of data.entries) visit(value, [...path, key.value]);
    if (data.kind !== 'scalar' || data.text === undefined || !/:\/\/|\$\{self:/.test(data.value)) return;
    const { text: value } = data;
    const names = [path, ...path.slice(1).map((_, index) => path.with(index + 1, '*'))].map((keys) => `self:${keys.join('.')}`);
    const [section, , param] = path;
    const params = section === 'params' && param !== undefined && path.length === 3 ? [`param:${param}`] : [];
    found.push(...[...names, ...params].map((name) => ({ name, value })));
  };
  visit(root, []);
  return found;
}
