/** Answers to compare. */
import { parseAnswer } from '../../../proxy/compare/answer-json.ts';
import { type ComparedAnswer, type Comparison, differencesOf } from '../../../proxy/compare/differences.ts';
import { equalitiesOf } from '../../../proxy/compare/equalities.ts';
import type { Equality } from '../../../src/rollout/rules.ts';

/** An answer with the content as it came. */
export const answer = (text: string, head: { readonly status?: number; readonly mediaType?: string | undefined } = {}): ComparedAnswer => ({
  status: 200,
  mediaType: 'application/json',
  ...head,
  body: parseAnswer(text),
});

export const answerOf = (value: unknown): ComparedAnswer => answer(JSON.stringify(value));

export const compare = (v1: ComparedAnswer, v2: ComparedAnswer, equalities: readonly Equality[] = []): Comparison =>
  differencesOf(v1, v2, equalitiesOf(equalities, 'listContacts'));

/** Each as `kind path: v1 -> v2`. */
export const found = ({ differences }: Comparison): string[] =>
  differences.map(({ kind, path, v1, v2 }) => `${kind} ${path}: ${v1} -> ${v2}`);
