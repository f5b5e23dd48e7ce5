/** `.http` and `.rest` files, as JetBrains IDEs and the REST Client of VS Code read them. */
import type { Bases } from '../verdict/routes.ts';
import type { Draft, Header } from './candidate-edit.ts';
import type { Reading } from './reading.ts';
import { draftRequest } from './request.ts';
import { draftSetting } from './setting.ts';
import { type Text, plain, slice } from './text.ts';
import { type Definition, scopeOf } from './variables.ts';
import type { World } from './ownership.ts';

interface Line {
  readonly text: string;
  readonly start: number;
}

const variable = /^@(?<name>[\w.-]+)\s*=\s*(?<value>.*?)\s*$/;
const comment = /^\s*(?:#|\/\/)/;
const requestLine = /^(?:(?<method>[A-Z]+)\s+)?(?<url>\S.*?)(?:\s+HTTP\/[\d.]+)?\s*$/;
const field = /^(?<name>[\w-]+)\s*:\s*(?<value>.*?)\s*$/;

export function readHttp(source: string, bases: Bases): Reading {
  const lines = Array.from(source.matchAll(/[^\r\n]+|(?<=\n)(?=\r?\n)/g), ({ index, 0: text }): Line => ({ text, start: index }));
  const definitions = lines.flatMap(definitionOf);
  const world = { source, bases, scope: scopeOf(definitions) };
  const settings = definitions.flatMap(({ value }) => draftSetting(value, world) ?? []);
  return { drafts: [...settings, ...blocksOf(lines).flatMap((block) => draftOf(block, world))], envs: [] };
}

function definitionOf({ text, start }: Line): Definition[] {
  const groups = variable.exec(text)?.groups;
  const value = groups?.['value'] ?? '';
  return groups === undefined ? [] : [{ name: groups['name'] ?? '', value: plain(value, start + text.lastIndexOf(value)) }];
}

/** The lines between `###`. */
function blocksOf(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = [[]];
  for (const line of lines) {
    if (line.text.startsWith('###')) blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks;
}

function draftOf(block: readonly Line[], world: World): Draft[] {
  const first = block.findIndex(({ text }) => text.trim() !== '' && !comment.test(text) && !variable.test(text) && !text.startsWith('<'));
  const line = block[first];
  const groups = requestLine.exec(line?.text ?? '')?.groups;
  if (line === undefined || groups === undefined) return [];
  const url = groups['url'] ?? '';
  const headers: Header[] = [];
  let end = line.start + line.text.length;
  for (const { text, start } of block.slice(first + 1)) {
    if (text.trim() === '') break;
    end = start + text.length;
    const header = comment.test(text) ? undefined : headerOf(text, start);
    if (header !== undefined) headers.push(header);
  }
  const at = line.start + line.text.indexOf(url, groups['method']?.length ?? 0);
  const request = {
    start: line.start,
    end,
    client: 'http file',
    url: plain(url, at),
    method: groups['method'] ?? 'GET',
    headers,
    credentials: false,
    keyless: false,
  };
  return [draftRequest(request, world)];
}

function headerOf(text: string, start: number): Header | undefined {
  const groups = field.exec(text)?.groups;
  const [name = '', value = ''] = [groups?.['name'], groups?.['value']];
  const whole: Text = plain(text, start);
  const from = text.length - text.slice(text.indexOf(':') + 1).trimStart().length;
  return groups === undefined ? undefined : { name: slice(whole, 0, name.length), value: slice(whole, from, from + value.length) };
}
