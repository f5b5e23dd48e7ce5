/** Trigger.dev: https://trigger.dev/docs/errors-retrying#retry-fetch. What its tasks ask by `retry.fetch` goes where `fetch` goes. */
import type { ClientRule } from '../../../evaluate/libraries/client-rule.ts';
import { answerMethods, fetchRequest } from '../fetch.ts';

const name = 'trigger-dev';

export const triggerDevRule: ClientRule = {
  name,
  title: "Trigger.dev's retry.fetch",
  modules: ['@trigger.dev/sdk', '@trigger.dev/sdk/v3'],
  call: (call) => (call.on === undefined && call.path.join('.') === 'retry.fetch' ? fetchRequest(name, call) : undefined),
  answers: { to: ['retry.fetch'], by: answerMethods },
};
