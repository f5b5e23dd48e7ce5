/** In every worker: a test in which the sandbox answers otherwise than documented fails. */
import { createRequire } from 'node:module';
import { afterEach } from 'vitest';

// By Node itself, not by vitest: in whatever way it is loaded, there is one.
const answers: { checkAtOnce(): void; newViolations(): string[] } = createRequire(import.meta.url)('./answers.cjs');

answers.checkAtOnce();

afterEach(() => {
  const violations = answers.newViolations();
  if (violations.length > 0) throw new Error(`The sandbox answered otherwise than its OpenAPI document says:\n${violations.join('\n')}`);
});
