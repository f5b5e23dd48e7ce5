/** Tables of programs and the values in them: what is written in a row is what the language says. */
import { describe, expect, test } from 'vitest';
import { covers } from './covers.ts';
import { answersIn, type Answers, type Asked, type Program } from './program.ts';
import { render } from './render.ts';
import { runAll } from './run.ts';

export interface Row {
  readonly title: string;
  readonly program: Program;
  /** What each `ask` is given, as render.ts writes it, with `; ` between. */
  readonly value: string;
  /** Why the evaluator says less than it could, today: the row fails as soon as that is so no more. */
  readonly imprecise?: string;
  /** Why it leaves out what may be, today: the row fails as soon as that is so no more. */
  readonly wrong?: string;
  /** It cannot run: it needs what is not there, or only describes something. */
  readonly isOnlyRead?: true;
}

export const row = (title: string, program: Program, value: string, more: Pick<Row, 'imprecise' | 'wrong' | 'isOnlyRead'> = {}): Row => ({
  title,
  program,
  value,
  ...more,
});

/** One test for each row: the value, and that Node gives nothing else. */
export function table(subject: string, rows: readonly Row[]): void {
  describe.each([subject])('%s', () => {
    test.each(rows)('$title', async (each) => {
      const { is, said, missed } = await judged(each);
      const expected = each.wrong !== undefined ? 'wrong' : each.imprecise !== undefined ? 'imprecise' : 'right';
      expect(is, `\n  should be ${each.value}\n  it says   ${said}\n  ${missed.join('\n  ')}\n`).toBe(expected);
    });
  });
}

interface Judged {
  /** `wrong` where something else comes of the program than is said, `imprecise` where less is said than could be. */
  readonly is: 'right' | 'imprecise' | 'wrong';
  readonly said: string;
  /** What comes of the program and is not said. */
  readonly missed: readonly string[];
}

async function judged({ program, value, wrong, isOnlyRead }: Row): Promise<Judged> {
  const answers = answered(program);
  if (answers === undefined) return { is: 'wrong', said: 'nothing, as it comes to no end', missed: [] };
  const said = answers.asked.map((asked) => render(asked.value, { ...answers, ...asked })).join('; ');
  const missed = isOnlyRead === true ? [] : await uncovered(program, answers);
  const isWrong = missed.length > 0 || (isOnlyRead === true && wrong !== undefined && said !== value);
  return { is: isWrong ? 'wrong' : said === value ? 'right' : 'imprecise', said, missed };
}

/** @returns undefined where the evaluator comes to no end */
function answered(program: Program): Answers | undefined {
  try {
    return answersIn(program);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What Node gives that the evaluator does not say. */
export async function uncovered(program: Program, answers: Answers): Promise<string[]> {
  const given = await runAll(program, answers);
  const isCovered = (asked: Asked, concrete: unknown): boolean => covers(asked.value, concrete, { ...answers, ...asked });
  return answers.asked.flatMap((asked) =>
    (given.get(asked.place) ?? [])
      .filter((concrete) => !isCovered(asked, concrete))
      .map((concrete) => `${asked.place}: ${shown(concrete)} is not ${render(asked.value, { ...answers, ...asked })}`),
  );
}

const shown = (concrete: unknown): string =>
  typeof concrete === 'function' ? `function ${concrete.name}` : (JSON.stringify(concrete) ?? '?');
