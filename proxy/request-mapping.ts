/** What the configuration makes of a request's query and body, before they go to v2. */
import type { Call } from './call.ts';
import { readText } from './content.ts';
import { without } from './head.ts';
import type { CompiledMapping } from './mappings.ts';
import { MappingError } from './mappings/error.ts';
import type { Translation } from './translation.ts';
import { refuse } from './v1-rules.ts';

const unreadable = {
  coding: 'The body cannot be read: its Content-Encoding is not supported, or is not what the body has',
  charset: 'The body cannot be read: it is not in UTF-8, or not in the charset that its Content-Type names',
} as const;

/** Fields that described the body before it was mapped. */
const contentFields: ReadonlySet<string> = new Set(['content-type', 'content-encoding']);

/**
 * Maps the query and the body that were read.
 * @returns undefined where the call was answered: with v1's 400 where the body cannot be read (what is written in its place would be another
 * text) or is not JSON, and with a failure where the mapping does not fit
 */
export async function mapRequest(call: Call, translation: Translation, mapping: CompiledMapping): Promise<Translation | undefined> {
  try {
    const withQuery = mapping.query === undefined ? translation : { ...translation, query: await mapping.query(translation.query) };
    return mapping.requestBody === undefined ? withQuery : await mapBody(call, withQuery, mapping.requestBody);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    if (error.code === 'MAPPING_INPUT') return call.answer(refuse('invalidJson', call.context.assumptions));
    call.context.recorder.mappingFailed(call, error);
    return call.fail('internal');
  }
}

/** @throws MappingError */
async function mapBody(
  call: Call,
  translation: Translation,
  map: NonNullable<CompiledMapping['requestBody']>,
): Promise<Translation | undefined> {
  const { assumptions, options } = call.context;
  const read = await readText(translation.sentBody ?? Buffer.alloc(0), call.head, options.maxBody);
  if ('unreadable' in read) return call.answer(refuse('invalidJson', assumptions, { error: unreadable[read.unreadable] }));
  const body = await map(read.text);
  if (body === '') return { ...translation, body: undefined };
  const fields = [...without(translation.fields, contentFields), 'Content-Type', 'application/json'];
  return { ...translation, body: Buffer.from(body), fields };
}
