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

const usualViewport = { width: 1280, height: 720 };

/**
 * Starts the browser before the tests of a file and ends it after them; skips them where there is none. A new page costs more than what most tests do
 * with it: those that want the same settings have one, one after the other.
 * @returns opens a page as if it were new; it is emptied after the test
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

  const free = new Map<string, Page[]>();
  const newPage = async (settings: BrowserContextOptions): Promise<Page> => {
    const context = await browser.newContext(settings);
    // As long as a busy machine takes; a test that waits for nothing is ended by its own limit.
    context.setDefaultTimeout(150_000);
    return context.newPage();
  };

  return async ({ viewport = usualViewport, ...settings } = {}) => {
    const kind = JSON.stringify(settings);
    const page = free.get(kind)?.pop() ?? (await newPage(settings));
    if (viewport !== null) await page.setViewportSize(viewport);
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => requests.push(request.url()));
    onTestFinished(async () => {
      page.removeAllListeners();
      await page.goto('about:blank');
      await page.emulateMedia({ media: null, colorScheme: null });
      await page.setExtraHTTPHeaders({});
      await page.context().clearCookies();
      free.set(kind, [...(free.get(kind) ?? []), page]);
    });
    return { page, complaints, requests };
  };
}

/** The rules of axe-core that look at colours. */
const ofColours = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** What axe-core finds wrong with the page in light, as rule and element. */
export async function faultsInLight(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger: the policy of the page, which runs no script of others, does not hold it up.
  await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: 'light' });
  return faultsOf(page, {});
}

/** The same, and with its colours in the dark: nothing else is different there, and they are the same on every screen. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const inLight = await faultsInLight(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...inLight, ...(await faultsOf(page, ofColours))];
}

const faultsOf = (page: Page, options: object): Promise<string[]> =>
  page.evaluate<string[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`,
  );
