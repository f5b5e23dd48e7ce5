/** What files are called by those that look for them. */
import { posix } from 'node:path';

/** Names of files of tests, and of what stands in for something. */
export const standsInByName =
  /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e|cypress|fakes?|mocks?|stubs?)\/|(?:^|[/._-])(?:fake|mock|stub|stand-?in)s?(?=[/._-])/i;

/** Whether a file is for tests by its folder or its name. */
export const isOfTests = (file: string): boolean =>
  standsInByName.test(file) || /(?:[.-](?:test|spec|cy|e2e)\.[cm]?[jt]|_test\.m?t)sx?$/.test(file);

/** How a file would import another. */
export function specifierOf(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}
