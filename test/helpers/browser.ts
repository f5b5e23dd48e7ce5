/** Debian's Chromium for tests of pages: one for all tests of a file. */
import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
// It only shows what tests serve: no sandbox of its own, as tests may run as root, and nothing asked of the network.
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page, and what went wrong or went elsewhere in it. */
export interface TestPage {
  readonly page: Page;
  /** Messages of the console, refused by the content security policy included, and errors of scripts. */
  readonly complaints: readonly string[];
  /** Addresses that were asked for. */
  readonly requests: readonly string[];
}

/**
 * Starts the browser before the tests of a file and ends it after them.
 * @returns opens a page in a context of its own, which goes with the test
 */
export function withBrowser(): (options?: BrowserContextOptions) => Promise<TestPage> {
  let browser: Browser;
  beforeAll(async () => {
    if (!existsSync(executablePath))
      throw new Error(`There is no ${executablePath}: apt-get install chromium, or say in CHROMIUM where it is`);
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(() => browser.close());

  return async (options = {}) => {
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => requests.push(request.url()));
    return { page, complaints, requests };
  };
}

/** What axe-core finds wrong with the page, as rule and element. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger: the policy of the page, which runs no script of others, does not hold it up.
  await page.evaluate(axe.source);
  const run = `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`;
  return page.evaluate<string[]>(run);
}
