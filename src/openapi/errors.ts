/** The body of an error: v1's shape is shown (api.md §7); v2's is not, so it is that of a dialect. */
import type { Assumptions } from '../contract/assumptions.ts';
import type { ErrorDialect } from '../contract/dialects.ts';
import { contactExistsAnswer, dailyLimitAnswer } from '../contract/fields.ts';
import type { Problem } from './problems.ts';
import { assumed, assumedText, closed, closedAsAssumed, described, reference, text, textAmong } from './schema.ts';
import type { Schema } from './types.ts';

interface Written {
  readonly mediaType: string;
  readonly schema: Schema;
}

/** How v1 writes a problem. */
export function v1Error(problem: Problem, assumptions: Assumptions): Written {
  const fields = v1Fields(problem, assumptions);
  // api.md leaves open whether a 401 has a code, and nothing else of it.
  const code: Record<string, Schema> =
    problem.status === 401 ? { code: assumed('The code of a 401 is not shown; here there is none', { not: {} }) } : {};
  const schema = closedAsAssumed('Whether an error has further fields is not shown', { ...fields, ...code }, Object.keys(fields));
  return { mediaType: json, schema };
}

/** How v2 writes a problem in a dialect. */
export function v2Error(problem: Problem, assumptions: Assumptions, dialect: ErrorDialect): Written {
  const { mediaType, schema } = dialects[dialect](problem, assumptions);
  return { mediaType, schema: assumed(`The error bodies of v2 are not shown; this is the dialect ${dialect}`, schema) };
}

const json = 'application/json';
const codeOf = ({ code }: Problem): Record<string, Schema> => (code === undefined ? {} : { code: textAmong([code]) });

const dialects: Record<ErrorDialect, (problem: Problem, assumptions: Assumptions) => Written> = {
  v1: (problem, assumptions) => ({ mediaType: json, schema: closed(v1Fields(problem, assumptions)) }),
  nested: (problem) => ({ mediaType: json, schema: closed({ error: closed({ ...codeOf(problem), message: problem.text }) }) }),
  problem: (problem) => {
    const fields = {
      status: { type: 'integer', const: problem.status },
      detail: problem.text,
      ...codeOf(problem),
      ...(problem.adds === 'contact' && { existing: reference('Contact') }),
    };
    // The phrase of the status, which one that is not registered does not have.
    return { mediaType: 'application/problem+json', schema: closed({ title: text, ...fields }, Object.keys(fields)) };
  },
  text: (problem) => ({ mediaType: 'text/plain', schema: problem.text }),
};

/** The shape that api.md shows. */
const v1Fields = (problem: Problem, assumptions: Assumptions): Record<string, Schema> => ({
  success: { type: 'boolean', const: false },
  error: problem.text,
  ...codeOf(problem),
  ...(problem.adds !== undefined && additions(assumptions)[problem.adds]),
});

/** What two problems add to v1's shape. */
function additions({ dailyLimitUpgradeUrl }: Assumptions): Record<NonNullable<Problem['adds']>, Record<string, Schema>> {
  return {
    contact: described(contactExistsAnswer, { data: reference('Contact'), existed: { type: 'boolean', const: true } }),
    dailyLimit: described(dailyLimitAnswer, {
      limit: { type: 'integer' },
      resetAt: { type: 'string', format: 'date-time', pattern: 'Z$' },
      upgradeUrl: assumedText('dailyLimitUpgradeUrl', [dailyLimitUpgradeUrl]),
    }),
  };
}
