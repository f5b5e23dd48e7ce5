/**
 * Terraform and OpenTofu: https://developer.hashicorp.com/terraform/language. Of what is deployed only the variables of the environment are read that
 * are written out: `variables = { API_URL = "https://…" }` of functions, `{ name = "API_URL", value = "https://…" }` of containers.
 */
import { settingsOf } from './env-file.ts';
import { type Reading, type Stretch, merge } from './reading.ts';
import { plain } from './text.ts';
import { scopeOf } from './variables.ts';

export const isTerraform = (file: string): boolean => file.endsWith('.tf');

/** A text in which nothing is put in. */
const text = String.raw`"(?<value>(?:[^"\\\n$%]|[$%](?!\{))*)"`;
const name = String.raw`(?<name>[A-Z][A-Z\d_]*)`;
const entry = new RegExp(String.raw`^(?:[^\n"#]*[{,])?[ \t]*"?${name}"?[ \t]*[=:][ \t]*${text}`, 'gm');
const pair = new RegExp(String.raw`(?<![\w"])"?name"?[ \t]*[=:][ \t]*"${name}"[ \t]*,?\s*"?value"?[ \t]*[=:][ \t]*${text}`, 'g');
const comment = /^\s*(?:#|\/\/)/;

export function readTerraform(stretch: Stretch): Reading {
  const definitions = [entry, pair].flatMap((pattern) =>
    Array.from(stretch.text.matchAll(pattern), ({ index, 0: all, groups: { name = '', value = '' } = {} }) => {
      const line = stretch.text.slice(stretch.text.lastIndexOf('\n', index) + 1, index + all.length);
      return comment.test(line) ? [] : [{ name, value: plain(value, index + all.length - 1 - value.length) }];
    }).flat(),
  );
  return merge([settingsOf(definitions, stretch, scopeOf(definitions))]);
}
