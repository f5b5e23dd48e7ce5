import { children } from '../../../codemods/syntax/link.ts';
import type { Node } from '../../../codemods/syntax/tree.ts';

/** A tree on one line: what each node is, then its children in parentheses. Positions are left out. */
export function sketch(node: Node): string {
  const below = children(node).map(sketch);
  return below.length === 0 ? label(node) : `${label(node)}(${below.join(' ')})`;
}

function label(node: Node): string {
  const marks = (...given: (string | false | undefined)[]): string => given.filter(Boolean).join(' ');
  switch (node.kind) {
    case 'string':
      return `${node.quote}${node.value}${node.quote}`;
    case 'template':
      return `\`${node.texts.map(({ value }) => value).join('${}')}\``;
    case 'literal':
      return typeof node.value === 'object' && node.value !== null ? `/${node.value.pattern}/${node.value.flags}` : String(node.value);
    case 'name':
      return node.name;
    case 'patternName':
      return `:${node.name}`;
    case 'member':
      return node.property === undefined ? '[]' : `.${node.property}`;
    case 'call':
      return node.isNew ? 'new' : 'call';
    case 'property':
      return marks(node.accessor, `${node.name ?? '[]'}:`, node.shorthand && 'shorthand');
    case 'patternProperty':
      return marks(`${node.name ?? '[]'}:`, node.shorthand && 'shorthand', node.default && 'default');
    case 'array':
      return `array${node.elements.some((element) => element === undefined) ? ' with unknownParts' : ''}`;
    case 'arrayPattern':
      return marks(
        'arrayPattern',
        ...node.elements.map((element) => (element ? marks('one', element.default && 'default', element.isRest && 'rest') : 'unknownPart')),
      );
    case 'objectPattern':
      return marks('objectPattern', node.rest && 'with rest');
    case 'concat':
      return '+';
    case 'binary':
    case 'logical':
    case 'assign':
    case 'unary':
      return node.operator;
    case 'function':
      return marks(node.isDeclaration ? 'declared' : node.isArrow && 'arrow', 'function');
    case 'param':
      return marks('param', node.isRest && 'rest', node.isField && 'field', node.typeName && `of ${node.typeName}`);
    case 'class':
      return marks(node.isDeclaration && 'declared', 'class');
    case 'classMember':
      return marks(node.isStatic && 'static', node.role, node.computed ? '[]' : node.name, node.typeName && `of ${node.typeName}`);
    case 'variable':
      return marks(node.declares, node.typeName && `of ${node.typeName}`);
    case 'enum':
      return `enum {${node.members.map((member) => `${member.name}${member.value ? ' =' : ''}`).join(', ')}}`;
    case 'import':
      return marks('import', node.isType && 'type', ...node.specifiers.map(({ imported }) => imported));
    case 'export':
      return marks('export', ...node.specifiers.map(({ name, exported }) => (exported === undefined ? name : `${name}=>${exported}`)));
    case 'exportDeclaration':
      return marks('export', node.isDefault && 'default', node.isAssignment && '=');
    case 'block':
      return marks(node.role, 'block');
    case 'other':
      return node.what;
    default:
      return node.kind;
  }
}
