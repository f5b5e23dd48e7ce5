/**
 * Terraform and OpenTofu: https://developer.hashicorp.com/terraform/language. Of what is deployed only the variables of the environment are read that
 * are written out, or set by a local value of the module: `variables = { API_URL = "https://…" }` of functions, `{ name = "API_URL", value = "https://…" }` of containers.
 */
import type { SourceText } from '../evaluate/values/source-text.ts';
import { bracesIn } from './braces.ts';
import { settingsOf } from './env-file.ts';
import { type Program, type Reading, type Stretch, merge } from './reading.ts';
import { withoutVersion } from './shell/others.ts';
import { plain } from './text.ts';
import { setByVariables, withoutComments, writtenText as text } from './terraform-variables.ts';
import { scopeOf } from './variables.ts';

const name = String.raw`(?<name>[A-Z][A-Z\d_]*)`;
const entry = new RegExp(String.raw`^(?:[^\n"#]*[{,])?[ \t]*"?${name}"?[ \t]*[=:][ \t]*${text}`, 'gm');
const pair = new RegExp(String.raw`(?<![\w"])"?name"?[ \t]*[=:][ \t]*"${name}"[ \t]*,?\s*"?value"?[ \t]*[=:][ \t]*${text}`, 'g');
const comment = /^\s*(?:#|\/\/)/;

/** @param others files of the run, among which are those of the same module */
export function readTerraform(stretch: Stretch, others: readonly Pick<SourceText, 'file' | 'text'>[]): Reading {
  const written = [entry, pair].flatMap((pattern) =>
    Array.from(stretch.text.matchAll(pattern), ({ index, 0: all, groups: { name = '', value = '' } = {} }) => {
      const line = stretch.text.slice(stretch.text.lastIndexOf('\n', index) + 1, index + all.length);
      const start = index + all.length - 1 - value.length;
      return comment.test(line) ? [] : [{ name, value: plain(value, start), source: stretch.text, at: start }];
    }).flat(),
  );
  const definitions = [...written, ...setByVariables({ file: stretch.source.file, text: stretch.text }, others)];
  const programs = new Map(definitions.map(({ value, source, at }) => [value, programsOf(source)(at)]));
  return merge([settingsOf(definitions, stretch, scopeOf(definitions), programs)]);
}

/** Which program has what stands at a place: a container with its image, a function whose code lies in a bucket, or what is packed here. */
function programsOf(source: string): (offset: number) => Program {
  const around = bracesIn(withoutComments(source));
  return (offset) => {
    for (const { start, end } of around(offset)) {
      const [found, image] = /\b(?:image|image_uri)"?\s*[=:]\s*(?:"([^"$]+)")?/.exec(source.slice(start, end)) ?? [];
      if (image !== undefined) return { name: withoutVersion(image), isOwn: undefined };
      // One that is put together is of the deployment's own registry.
      if (found !== undefined) break;
      const [, bucket] = /\bs3_bucket\s*=\s*"([^"$]+)"/.exec(source.slice(start, end)) ?? [];
      if (bucket !== undefined) return { name: `s3://${bucket}`, isOwn: undefined };
    }
    return { name: '', isOwn: true };
  };
}
