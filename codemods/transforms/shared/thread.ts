/** The thread of a transform: answers for one file at a time, from one plan. */
import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { textFor, type RunnerPlan } from './plan.ts';
import type { Answer, Question } from './question.ts';
import { settingsOf } from './settings.ts';
import { planOf } from './store.ts';

let plan: Promise<RunnerPlan> | undefined;
let open = 0;

parentPort?.on('message', (question: Question) => {
  open++;
  answer(question)
    .catch((error: unknown): Answer => ({
      id: question.id,
      reports: [],
      stats: [],
      error: error instanceof Error ? error.message : String(error),
    }))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    .then((told) => parentPort?.postMessage(told))
    .finally(() => {
      open--;
      // Who comes later may come from another run: the plan is looked at again.
      if (open === 0) plan = undefined;
    });
});

async function answer(question: Question): Promise<Answer> {
  const settings = settingsOf(question);
  plan ??= planOf(settings);
  const { changes, reports, calls } = await plan;
  const file = relative(settings.cwd, realpathSync.native(resolve(settings.cwd, question.path))).replaceAll(sep, '/');
  const change = changes[file];
  const text = change && textFor(change, question.source);
  const moved = text === undefined ? [] : Object.entries(calls[file] ?? {});
  return {
    id: question.id,
    text,
    reports: reports[file] ?? [],
    stats: moved.map(([client, count]) => [`calls moved: ${client}`, count]),
  };
}
