/** Open questions of when and how v1 ends. */
import { deprecatedSince, sunsetAt } from '../dates.ts';
import { type Questions, text } from './question.ts';
export const deprecationQuestions = {
  sunsetAt: text(
    'At which instant of 31 December 2026 is v1 switched off?',
    sunsetAt,
    'The earliest reading is the only one that surprises nobody',
    'instant',
  ),
  deprecatedSince: text(
    'On which day of June 2026 did the deprecation begin?',
    deprecatedSince,
    'The earliest reading of "since June 2026"',
    'instant',
  ),
  migrationGuideUrl: text(
    'Where is the migration guide?',
    '',
    'A guide exists but its address is not shown; while empty, the Link fields point to the v2 base address',
    'urlOrNone',
  ),
} as const satisfies Questions;
