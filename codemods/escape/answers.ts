/** What depends on how v1 answers, which is not documented of v2: texts and codes of errors, and fields of their bodies. */
import { type ErrorRow, errorRows } from '../../src/contract/errors.ts';
import { guardsAround } from '../clients/expected-looks.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { escaped } from '../find/literals.ts';
import type { LiteralNode, MemberNode, Node, StringNode } from '../syntax/tree.ts';
import { limitCodes, speaksOfLimit } from './minute-waits.ts';

const rows: readonly ErrorRow[] = Object.values(errorRows);
const v1Rows = rows.filter(({ where }) => where === 'v1');
const otherCodes = v1Rows.flatMap(({ code }) => (code === undefined || limitCodes.has(code) ? [] : [code]));
const documented = new Set([...v1Rows.flatMap(({ text }) => ('documented' in text ? [text.documented] : [])), ...otherCodes]);
const documentedIn = new RegExp([...documented].map(escaped).join('|'));
/** Neither version documents such a header; what reads one of v1 was found by trying. */
const rateHeader = /^(?:x-)?rate-?limit-/i;
const { status: conflict } = errorRows.contactExists;
const isConflict = new RegExp(`\\b${conflict}\\b|\\bCONFLICT\\b`, 'i');
const isNoConflict = new RegExp(`!==?\\s*(?:${conflict}\\b|[\\w.]*CONFLICT\\b)`, 'i');
/** A code of a limit, or a contact that is there, in an answer that is written out as JSON. */
const writtenCode = new RegExp(`"code"\\s*:\\s*"(${[...limitCodes].map(escaped).join('|')})"`);
const writtenField = /"existed"\s*:/;

/** Words one of which is in each text that may depend on answers. */
export const mayReadAnswers = (text: string): boolean =>
  documentedIn.test(text) || isConflict.test(text) || /\bresetAt\b|\bupgradeUrl\b/.test(text);

/** @returns what is read of an answer, in words */
export function readOfAnswer(node: StringNode | MemberNode | LiteralNode, module: SourceModule): string | undefined {
  switch (node.kind) {
    case 'string':
      if (documented.has(node.value)) return isAsked(node) ? `"${node.value}"` : undefined;
      if (rateHeader.test(node.value)) return isReadAs(node) ? node.value : undefined;
      return node.value.startsWith('{') && writtenField.test(node.value) ? 'existed' : undefined;
    case 'literal': {
      const [found] = (typeof node.value === 'object' && documentedIn.exec(node.value?.pattern ?? '')) || [];
      return found === undefined ? undefined : `"${found}"`;
    }
    case 'member':
      return fieldRead(node, module);
  }
}

/** The code of a limit that a text is, or that an answer in it has. */
export const limitCodeIn = ({ value }: StringNode): string | undefined =>
  limitCodes.has(value) ? value : value.startsWith('{') ? writtenCode.exec(value)?.[1] : undefined;

function fieldRead(node: MemberNode, module: SourceModule): string | undefined {
  const { property, parent } = node;
  const isWritten = parent?.kind === 'assign' && parent.target === node;
  if (property === 'existed') return property;
  if ((property === 'resetAt' || property === 'upgradeUrl') && !isWritten) return speaksOfLimit(module.text) ? property : undefined;
  if (property !== 'data' || isWritten || isBody(node) || !isConflict.test(module.text)) return undefined;
  return isOfConflict(node, module) ? property : undefined;
}

/** `error.response.data`: as axios calls the whole body. */
const isBody = ({ object }: MemberNode): boolean =>
  (object.kind === 'member' && object.property === 'response') || (object.kind === 'name' && /^(?:res|response)$/.test(object.name));

/** Whether what stands there is only come to with the status of a contact that is there. */
function isOfConflict(node: Node, { text }: SourceModule): boolean {
  const written = ({ start, end }: Node): string => text.slice(start, end);
  if (guardsAround(node).some((guard) => isConflict.test(written(guard)) && !isNoConflict.test(written(guard)))) return true;
  for (let at = node; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const { parent } = at;
    const before = parent.kind === 'block' ? parent.body.slice(0, parent.body.indexOf(at)) : [];
    if (before.some((each) => isNoConflict.test(testOf(each, written)))) return true;
  }
  return false;
}

/** `if (status !== 409) throw error;` */
const testOf = (statement: Node, written: (node: Node) => string): string => {
  const [test, consequent] = statement.kind === 'other' && statement.what === 'IfStatement' ? statement.children : [];
  return test === undefined || consequent === undefined || !/\b(?:throw|return|continue)\b/.test(written(consequent)) ? '' : written(test);
};

const asking = /^(?:includes|startsWith|endsWith|indexOf|match|search)$/;

/** `error === '…'`, `case '…':`, `message.includes('…')`. */
const isAsked = ({ parent, ...node }: Node): boolean =>
  (parent?.kind === 'binary' && /^[!=]==?$/.test(parent.operator)) ||
  (parent?.kind === 'other' && parent.what === 'CaseClause') ||
  (parent?.kind === 'call' &&
    parent.args[0]?.start === node.start &&
    parent.callee.kind === 'member' &&
    asking.test(parent.callee.property ?? ''));

/** `headers.get('…')`, `headers['…']`. */
const isReadAs = (node: Node): boolean =>
  (node.parent?.kind === 'member' && node.parent.computed === node) ||
  (node.parent?.kind === 'call' && node.parent.callee.kind === 'member' && /^(?:get|has|header)$/.test(node.parent.callee.property ?? ''));
