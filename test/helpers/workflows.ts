/** Workflows as GitHub reads them. */
import { registerHooks } from 'node:module';

/** GitHub's own parser. It imports JSON in the way of bundlers, without saying that it is JSON. */
async function workflowParser() {
  const hooks = registerHooks({
    load: (url, context, next) => next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
  });
  try {
    return await import('@actions/workflow-parser');
  } finally {
    hooks.deregister();
  }
}

/** What is wrong with a workflow. */
export async function workflowErrors(name: string, content: string): Promise<readonly string[]> {
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await workflowParser();
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

/** An action by its commit, with the version that it is. */
export const pinnedAction = /^(?:\.\/\.github\/workflows\/\w+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
