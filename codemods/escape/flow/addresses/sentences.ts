/** Texts for people: what stands behind words in a sentence, of a log or an error, is no address that anybody asks for. */
import { lastName } from '../../../clients/names.ts';
import type { Place } from '../../../evaluate/budget.ts';
import { flat, sliceParts } from '../../../evaluate/values/text.ts';
import { type Part, partsOf, type TextValue, type Value } from '../../../evaluate/values/values.ts';
import type { Node } from '../../../syntax/tree.ts';
import { type Change, isNameChange } from '../../../verdict/changes/spans.ts';
import type { DataflowQuery } from '../dataflow-query.ts';

/**
 * Two words and white space before a path without a host: `Preparing to issue GET /v1/contacts`. A method and a path alone may be what a router takes, what
 * begins with a small letter a command, and what is written in capitals a query.
 */
const sentence = /^[A-Z][a-z]+ [a-z]+(?: [^\n]*)? \/$/;
const forPrograms = /:\/\/|["'`<>{}|;$]|^(?:Select|Insert|Update|Delete|Create|Link|Run|Set)\b/;

/** What keeps a log by its name. Titles, messages and rules are taken apart again by a worker, looked for, or written into the settings of a server. */
const logging = /(?:^log|[a-z]Log)(?:ging)?(?:Message|Line|Entry|Event)?$/;
/** What looks for a line of a log by its text, or shows it to somebody, writes none. */
const looking =
  /^(?:find|wait|check|query|search|read|show|get|has|is|expect|assert|match|look|list|count|watch|poll|tail|filter|parse|fetch|load|grep|scan|verify|contains?)/;

/**
 * Of what is given to a call all but what is given to what logs, where all of what it may be that has an edit are texts that say it in a sentence; or to what
 * reads JSON, which no such text is: `JSON.parse(this.message)` of an error.
 */
export function addressesGiven(query: DataflowQuery, { node, module }: Place, carried: readonly Change[]): readonly Change[] {
  const isRead = isReadAsJson(node);
  const isSaying = isRead || isLogged(node);
  const isTold = tellsError(node);
  if (!isSaying && (!isTold || carried.every(isNameChange))) return carried;
  const values = query.values({ node, module });
  return carried.filter((change) => {
    const having = values.filter((value) => query.carriedBy([value]).includes(change));
    // Who is told what went wrong, has its address for people.
    if (isTold && having.length > 0 && !isNameChange(change) && having.every(isErrorOfProgram)) return false;
    if (!isSaying) return true;
    return (
      !having.every((value) => value.type === 'text' && (isRead ? isNoJson(value) : isSaid(partsOf(value), change))) || having.length === 0
    );
  });
}

/** `fn(error)`, `this.onError(error)`, `matcher.err(error)`; a bus or a queue, `bus.emit('again', error)`, may be what asks again. */
function tellsError({ parent: call }: Node): boolean {
  if (call?.kind !== 'call' || call.isNew) return false;
  const { callee } = call;
  return callee.kind === 'name' || (callee.kind === 'member' && /err|fail|catch|reject|exception/i.test(callee.property ?? ''));
}

/** An instance of a class of the program that inherits from an error. */
const isErrorOfProgram = (value: Value): boolean =>
  value.type === 'instance' && value.of.node.superclass !== undefined && /(?:Error|Exception)$/.test(lastName(value.of.node.superclass));

const isReadAsJson = ({ parent: call }: Node): boolean =>
  call?.kind === 'call' &&
  call.callee.kind === 'member' &&
  call.callee.property === 'parse' &&
  call.callee.object.kind === 'name' &&
  call.callee.object.name === 'JSON';

/** A word with something behind it is no JSON, whatever that is: https://www.rfc-editor.org/rfc/rfc8259#section-2. */
function isNoJson(text: TextValue): boolean {
  const [first] = partsOf(text);
  return first !== undefined && 'text' in first && /^[A-Za-z]+ /.test(first.text);
}

/** By itself, or in an object: `server.sendLoggingMessage({ level, data: { message } })`. */
function isLogged(node: Node): boolean {
  let at = node;
  while (at.parent?.kind === 'object' || at.parent?.kind === 'property') at = at.parent;
  const { parent: call } = at;
  return call?.kind === 'call' && !call.isNew && call.callee !== at && isWriter(lastName(call.callee));
}

const isWriter = (name: string): boolean => logging.test(name) && !looking.test(name);

function isSaid(parts: readonly Part[], { module, start, end }: Change): boolean {
  let offset = 0;
  for (const part of parts) {
    const source = 'text' in part ? part.source : undefined;
    const length = 'text' in part ? part.text.length : 1;
    if (source?.module === module && 'text' in part && source.start <= start && end <= source.start + length) {
      const before = flat(sliceParts(parts, 0, offset + start - source.start));
      if (!sentence.test(before) || forPrograms.test(before)) return false;
    }
    offset += length;
  }
  return true;
}
