/** What depends on how v1 answers, which is not documented of v2: texts and codes of errors, and fields of their bodies. */
import { type ErrorRow, errorRows } from '../../../src/contract/errors.ts';
import { escaped } from '../../find/words/literals.ts';
import { ownServerAskers, quoted } from '../../clients/testing/libraries.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Expression, LiteralNode, Node, PropertyNode, StringNode } from '../../syntax/tree.ts';
import { mayReadFields } from './error-fields.ts';
import { limitCodes } from '../limits/waits-by-code.ts';

const rows: readonly ErrorRow[] = Object.values(errorRows);
const v1Rows = rows.filter(({ where }) => where === 'v1');
const otherCodes = v1Rows.flatMap(({ code }) => (code === undefined || limitCodes.has(code) ? [] : [code]));
const documentedTexts = v1Rows.flatMap(({ text }) => ('documented' in text ? [text.documented] : []));
const documented = new Set([...documentedTexts, ...otherCodes]);
const documentedIn = new RegExp([...documented].map(escaped).join('|'), 'i');
/** In small letters, as what was made so is compared. */
const inSmallLetters = new Set(documentedTexts.map((text) => text.toLowerCase()));
/** Words that tell these texts apart, as a pattern has them: `/expired/i.test(body.error)`. */
const ofError = new RegExp(
  `\\b(?:${[...new Set(documentedTexts.flatMap((text) => text.match(/[A-Z]?[a-z]{5,}/g) ?? []))].join('|')})\\b`,
  'i',
);
const asksByPattern = new RegExp(String.raw`/[^/\n]*${ofError.source}[^/\n]*/\w*\.test\(`, 'i');
const errorRead = /\.error\b/;
/** Neither version documents such a header; what reads one of v1 was found by trying. */
const rateHeader = /^(?:x-)?rate-?limit-/i;
/** A test that asks the project's own server reads the headers that this gives. */
const asksOwnServer = (module: SourceModule): boolean => isTest(module) && ownAskers.test(module.text);
const ownAskers = new RegExp(quoted(ownServerAskers));
/** A code of a limit, or a contact that is there, in an answer that is written out as JSON. */
const writtenCode = new RegExp(`"code"\\s*:\\s*"(${[...limitCodes].map(escaped).join('|')})"`);
const writtenField = /"existed"\s*:/;

/** Words one of which is in each text that may depend on answers. */
export const mayReadAnswers = (text: string): boolean =>
  documentedIn.test(text) || (asksByPattern.test(text) && errorRead.test(text)) || mayReadFields(text);

/** Whether a text is what v1 says of an error, or calls it by. */
export const isDocumented = ({ value }: StringNode): boolean => documented.has(value);

/** @returns what is read of an answer, in words */
export function readOfAnswer(node: StringNode | LiteralNode, module: SourceModule): string | undefined {
  switch (node.kind) {
    case 'string':
      if (isDocumented(node)) return isAskedOfAnswer(node) || isNamedCode(node) ? `"${node.value}"` : undefined;
      if (inSmallLetters.has(node.value)) return isAskedOfAnswer(node) ? `"${node.value}"` : undefined;
      if (rateHeader.test(node.value)) return isReadAs(node) && !asksOwnServer(module) ? node.value : undefined;
      return node.value.startsWith('{') && writtenField.test(node.value) ? 'existed' : undefined;
    case 'literal': {
      const pattern = (typeof node.value === 'object' && node.value?.pattern) || '';
      const [found] = documentedIn.exec(pattern) ?? (isAskedOfError(node, module) ? ofError.exec(pattern) : null) ?? [];
      return found === undefined ? undefined : `"${found}"`;
    }
  }
}

/** `const READ_ONLY = '…'`, `enum Codes { ReadOnly = '…' }`: a code that nothing but v1 gives. */
const isNamedCode = ({ value, parent }: StringNode): boolean =>
  otherCodes.includes(value) && (parent?.kind === 'enum' || (parent?.kind === 'variable' && parent.target.kind === 'patternName'));

/** `/…/.test(body.error)`, and of a name that holds it: v1 says there what is wrong. */
function isAskedOfError({ parent }: Node, { scopes, text }: SourceModule): boolean {
  const [asked] = parent?.kind === 'member' && parent.property === 'test' && parent.parent?.kind === 'call' ? parent.parent.args : [];
  const owner = asked?.kind === 'name' ? scopes.bindingOf(asked)?.owner : undefined;
  const from = owner?.kind === 'variable' ? owner.init : asked;
  return from !== undefined && errorRead.test(text.slice(from.start, from.end));
}

/** The code of a limit that a text is, or that an answer in it has. */
export const limitCodeIn = ({ value }: StringNode): string | undefined =>
  limitCodes.has(value) ? value : value.startsWith('{') ? writtenCode.exec(value)?.[1] : undefined;

/**
 * The code of v1 that something is kept under: `{ API_DAILY_LIMIT: 'Enough for today' }`. What is a number, or has that name itself, is a
 * setting.
 */
export function codeOfEntry({ name = '', value }: PropertyNode): { readonly code: string; readonly isOfLimit: boolean } | undefined {
  const isOfLimit = limitCodes.has(name);
  return (isOfLimit || otherCodes.includes(name)) && isSaid(value, name) ? { code: name, isOfLimit } : undefined;
}

function isSaid(value: Expression, name: string): boolean {
  switch (value.kind) {
    case 'string':
      return /[a-z]/i.test(value.value);
    case 'name':
      return value.name !== name;
    case 'call':
      return value.isNew || (value.args[0]?.kind === 'string' && !/\d/.test(value.args[0].value));
    default:
      return /^(?:template|tagged|concat|object|array|function|element)$/.test(value.kind);
  }
}

const asking = /^(?:includes|startsWith|endsWith|indexOf|match|search)$/;

/** `error === '…'`, `case '…':`, `message.includes('…')`. */
export const isAskedOfAnswer = ({ parent, ...node }: Node): boolean =>
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
