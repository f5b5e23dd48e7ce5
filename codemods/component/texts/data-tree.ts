/** YAML and TOML as a program has them that parses them: the tree of one value, as JSON has it, for what the code reads of it. */
import { SyntaxFault } from '../../engines/engine.ts';
import type { FileKind } from '../../find/kinds.ts';
import { parseToml } from '../../formats/data/toml.ts';
import type { Data, Scalar } from '../../formats/data/tree.ts';
import { parseYaml } from '../../formats/data/yaml.ts';
import { yamlParts } from '../../formats/yaml-parts.ts';
import { none } from '../../syntax/lists.ts';
import type { Expression, PropertyNode, SyntaxTree } from '../../syntax/tree.ts';

/** Whether a file is read so. What of YAML is nginx's, or a script, is read as such. */
export const isDataTree = (kind: FileKind, text: string): boolean => kind === 'toml' || (kind === 'yaml' && yamlParts(text).length === 0);

/** @throws SyntaxFault where the text does not parse, or is more than one document */
export function dataTree(kind: FileKind, text: string): SyntaxTree {
  const { roots, fault } = kind === 'toml' ? parseToml(text) : parseYaml(text);
  if (fault !== undefined) throw new SyntaxFault(fault.reason, fault.at);
  const [root, another] = roots;
  if (another !== undefined) throw new SyntaxFault('more than one document', another.start);
  const body = root === undefined ? none : [valueOf(root, text)];
  const comments = Array.from(text.matchAll(/#[^\n]*migrate-v2[^\n]*/g), ({ index: start, 0: comment }) => ({
    start,
    end: start + comment.length,
    text: comment,
  }));
  return { program: { kind: 'program', body, start: 0, end: text.length }, comments };
}

function valueOf(data: Data, text: string): Expression {
  const place = { start: data.start, end: data.end };
  if (data.kind === 'map')
    return {
      kind: 'object',
      ...place,
      properties: data.entries.map(({ key, value }): PropertyNode => ({
        kind: 'property',
        name: key.value,
        keyStart: key.start,
        keyEnd: key.end,
        value: valueOf(value, text),
        shorthand: false,
        start: key.start,
        end: Math.max(key.end, value.end),
      })),
    };
  if (data.kind === 'list') return { kind: 'array', ...place, elements: data.items.map((item) => valueOf(item, text)) };
  const written = text.slice(data.start, data.end);
  const plain = writtenValue(written);
  if (plain !== undefined) return { kind: 'literal', ...place, value: plain };
  return data.kind === 'scalar' ? textOf(data, written) : { kind: 'other', what: 'Opaque', children: none, ...place };
}

/** What stands there is no text: a port, a flag, nothing. Whoever reads that has nothing else of the file. */
function writtenValue(written: string): number | boolean | null | undefined {
  if (/^(?:null|Null|NULL|~)?$/.test(written)) return null;
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(written)) return /^t/i.test(written);
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(written) ? Number(written) : undefined;
}

/** A text that stands in one piece; a date, and what is folded or named for others, is not known. */
function textOf(scalar: Scalar, written: string): Expression {
  const { start, end, value } = scalar;
  const [quote] = /^["']/.exec(written) ?? [''];
  const isOfAnotherKind = quote === '' && /^(?:[-+.\d][\w.+-]*|yes|no|on|off)$/i.test(written);
  const known = !isOfAnotherKind && scalar.text !== undefined && scalar.text.at[0] === start + quote.length;
  if (!known) return { kind: 'other', what: 'Opaque', children: none, start, end };
  return { kind: 'string', value, quote: quote === '"' || quote === "'" ? quote : '', start, end };
}
