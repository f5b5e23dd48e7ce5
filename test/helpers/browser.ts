/** A browser for tests of pages: one for all tests of a file. */
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { startBrowser, type Started } from './browsers.ts';
import { refuseSkipping } from './tools.ts';

/** A page, and what went wrong or went elsewhere in it. */
export interface TestPage {
  readonly page: Page;
  /** Messages of the console, refused by the content security policy included, and errors of scripts. */
  readonly complaints: readonly string[];
  /** Addresses that were asked for. */
  readonly requests: readonly string[];
}

/**
 * Starts the browser before the tests of a file and ends it after them; skips them where there is none.
 * @returns opens a page in a context of its own, which goes with the test
 */
export function withBrowser(): (options?: BrowserContextOptions) => Promise<TestPage> {
  let browser: Browser;
  let started: Started | undefined;
  let lacks: string[] | undefined;
  beforeAll(async () => {
    started = await startBrowser();
    if ('browser' in started) ({ browser } = started);
    else refuseSkipping((lacks = [started.lack]));
  });
  beforeEach(({ task, skip }) => {
    if (lacks === undefined) return;
    task.meta.lacks = lacks;
    skip(`no ${lacks.join()}`);
  });
  afterAll(async () => {
    if (started !== undefined && 'browser' in started) await started.end();
  });

  return async (options = {}) => {
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    // As long as a busy machine takes; a test that waits for nothing is ended by its own limit.
    context.setDefaultTimeout(150_000);
    const page = await context.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => requests.push(request.url()));
    return { page, complaints, requests };
  };
}

/** The rules of axe-core that look at colours. */
const ofColours = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** What axe-core finds wrong with the page in light, as rule and element, and with its colours in the dark: nothing else is different there. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger: the policy of the page, which runs no script of others, does not hold it up.
  await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: 'light' });
  const inLight = await faultsOf(page, {});
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...inLight, ...(await faultsOf(page, ofColours))];
}

const faultsOf = (page: Page, options: object): Promise<string[]> =>
  page.evaluate<string[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`,
  );
