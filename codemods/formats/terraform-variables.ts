/**
 * Local values of Terraform, as `local.url`: all files of a folder are one module. What a module sets variables of the environment to by one, and does nothing
 * else with, is what stands there. What a variable is, `var.url`, others may say: a module around it, a command, another file.
 */
import { isTerraform } from '../find/kinds.ts';
import { dirname } from 'node:path/posix';
import type { SourceText } from '../evaluate/values/source-text.ts';
import { type Text, plain } from './text.ts';

/** A text in which nothing is put in. */
export const writtenText = String.raw`"(?<value>(?:[^"\\\n$%]|[$%](?!\{))*)"`;

const locals = /^locals\s*\{(?:[^{}]|\{[^{}]*\})*\}/gm;
const assigned = /^[ \t]*(\w+)\s*=\s*(?=")/gm;
const held = new RegExp(writtenText, 'y');

const reference = String.raw`(?:"\$\{)?(?<by>local\.\w+)(?:\}")?(?![\w.[(/])`;
const name = String.raw`"?(?<name>[A-Z][A-Z\d_]*)"?`;
const settings = [
  new RegExp(String.raw`(?<![\w".])${name}[ \t]*[=:][ \t]*${reference}`, 'g'),
  new RegExp(String.raw`(?<![\w"])"?name"?[ \t]*[=:][ \t]*${name}[ \t]*,?\s*"?value"?[ \t]*[=:][ \t]*${reference}`, 'g'),
];

interface Given {
  /** As it is asked for: `local.url`. */
  readonly by: string;
  readonly value: Text;
}

/** A variable of the environment, and where in which file it is set by another. */
export interface SetBy {
  readonly name: string;
  readonly value: Text;
  readonly source: string;
  readonly at: number;
}

/** @param others files of the run, among which are those of the module */
export function setByVariables(source: Pick<SourceText, 'file' | 'text'>, others: readonly Pick<SourceText, 'file' | 'text'>[]): SetBy[] {
  const given = givenIn(source);
  if (given.length === 0) return [];
  const folder = dirname(source.file);
  const files = [source, ...others.filter(({ file }) => file !== source.file && isTerraform(file))];
  const texts = files.flatMap(({ file, text }) => (dirname(file) === folder ? withoutComments(text) : []));
  return given.flatMap(({ by, value: { value, at } }) => {
    const asked = new RegExp(String.raw`\b${by.replace('.', String.raw`\.`)}\b`, 'g');
    const uses = texts.flatMap((text) =>
      settings.flatMap((pattern) =>
        Array.from(text.matchAll(pattern), ({ index, groups = {} }) =>
          groups['by'] === by ? [{ name: groups['name'] ?? '', source: text, at: index }] : [],
        ).flat(),
      ),
    );
    const count = texts.reduce((sum, text) => sum + [...text.matchAll(asked)].length, 0);
    return count === uses.length ? uses.map((use) => ({ ...use, value: plain(value, at[0] ?? 0) })) : [];
  });
}

function givenIn({ text: source }: Pick<SourceText, 'text'>): Given[] {
  const text = withoutComments(source);
  const at = (by: string, start: number): Given[] => {
    held.lastIndex = start;
    const value = held.exec(text)?.groups?.['value'];
    return value === undefined || value === '' ? [] : [{ by, value: plain(value, start + 1) }];
  };
  return Array.from(text.matchAll(locals), ({ index: from, 0: part }) =>
    Array.from(part.matchAll(assigned), ({ index, 0: all, 1: key = '' }) => at(`local.${key}`, from + index + all.length)).flat(),
  ).flat();
}

/** As long as it was. */
export const withoutComments = (text: string): string => text.replaceAll(/(?<=^|\s)(?:#|\/\/).*$/gm, ({ length }) => ' '.repeat(length));
