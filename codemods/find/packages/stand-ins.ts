/** What files are called by those that look for them. */
import { posix } from 'node:path';

/** Names of files of tests, and of what stands in for something. */
export const standsInByName =
  /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e|cypress|fakes?|mocks?|stubs?)\/|(?:^|[/._-])(?:fake|mock|stub|stand-?in)s?(?=[/._-])/i;

/** How a file would import another. */
export function specifierOf(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}
