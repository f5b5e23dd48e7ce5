/** Hurl files: requests, each with what is expected of its answer behind it: https://hurl.dev/docs/hurl-file.html. */
import { type Line, headerIn, linesOf } from './http-file.ts';
import { type Reading, type Stretch, type WrittenRequest, merge } from './reading.ts';
import { plain } from './text.ts';
import { type Definition, type Scope, scopeOf } from './variables.ts';
import { settingOf, writtenRequest } from './written.ts';

const request = /^(?<name>[A-Z]+)[ \t]+(?=\S)/;
const answer = /^HTTP(?:\/[\d.]+)?[ \t]+(?:\d{3}|\*)/;
const section = /^\[(?<name>\w+)\]/;
const variable = /^variable:\s*(?<name>[\w-]+)\s*=\s*/;

export function readHurl(stretch: Stretch): Reading {
  const entries = entriesOf(linesOf(stretch.text));
  const definitions = entries.flatMap(({ options }) => options.flatMap(definitionOf));
  const scope = scopeOf(definitions);
  return merge([
    {
      settings: definitions.flatMap(({ value }) => settingOf(value, stretch, scope) ?? []),
      requests: entries.flatMap((entry) => requestOf(entry, stretch, scope)),
    },
  ]);
}

interface HurlEntry {
  readonly first: Line;
  readonly headers: Line[];
  readonly options: Line[];
  hasCredentials: boolean;
}

/** A request begins with its method; its headers end where a section, a body or the answer begins. */
function entriesOf(lines: readonly Line[]): HurlEntry[] {
  const entries: HurlEntry[] = [];
  let [part, isFenced] = ['none', false];
  for (const line of lines) {
    const entry = entries.at(-1);
    if (line.text.startsWith('```')) isFenced = !isFenced || /^```.*```$/.test(line.text);
    if (isFenced || /^\s*(?:#|$)/.test(line.text)) continue;
    const [, opened] = section.exec(line.text) ?? [];
    if (answer.test(line.text)) part = 'answer';
    else if (request.test(line.text)) {
      entries.push({ first: line, headers: [], options: [], hasCredentials: false });
      part = 'headers';
    } else if (entry === undefined || part === 'answer') continue;
    else if (opened !== undefined) {
      part = opened;
      entry.hasCredentials ||= opened === 'BasicAuth';
    } else if (part === 'Options') {
      entry.options.push(line);
      entry.hasCredentials ||= /^(?:user|aws-sigv4|netrc[\w-]*)\s*:/.test(line.text);
    } else if (part === 'headers' && /^[\w-]+\s*:/.test(line.text)) entry.headers.push(line);
    else if (part === 'headers') part = 'body';
  }
  return entries;
}

function definitionOf({ text, start }: Line): Definition[] {
  const [sign, name] = variable.exec(text) ?? [];
  return sign === undefined || name === undefined ? [] : [{ name, value: plain(text.slice(sign.length), start + sign.length) }];
}

function requestOf({ first, headers, hasCredentials }: HurlEntry, stretch: Stretch, scope: Scope): WrittenRequest[] {
  const [before = '', name] = request.exec(first.text) ?? [];
  // A comment may stand behind it.
  const target = first.text.slice(before.length).replace(/\s+#.*$/, '');
  const last = headers.at(-1) ?? first;
  return [
    writtenRequest(
      {
        start: first.start,
        end: last.start + last.text.length,
        client: 'hurl',
        url: plain(target, first.start + before.length),
        method: name,
        headers: headers.flatMap(headerIn),
        hasCredentials,
      },
      stretch,
      scope,
    ),
  ];
}
