import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults, withBrowser } from '../../helpers/browser.ts';
import { startLiveProxy } from './live-proxy.ts';

const open = withBrowser();

/** The calls of a workspace as the page shows them. */
const callsOf = (page: Page, workspace: string) => page.locator('#workspaces tbody tr', { hasText: workspace }).locator('td').nth(2);
const names = (page: Page): Promise<string[]> => page.locator('#workspaces tbody th bdi').allTextContents();
const live = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: /^Live$/ })
    .waitFor();
const shows = (page: Page, workspace: string, calls: string): Promise<void> =>
  callsOf(page, workspace)
    .filter({ hasText: new RegExp(`^${calls}$`) })
    .waitFor();

describe('the live page', () => {
  test('shows a call that is made while it is open', async ({ annotate }) => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1');
    const { page } = await open();
    await page.goto(url);
    await live(page);
    await shows(page, 'Acme', '1');
    const began = performance.now();
    await call('mk_acme_1');
    await shows(page, 'Acme', '2');
    const took = Math.round(performance.now() - began);
    expect(await callsOf(page, 'Acme').textContent()).toBe('2');
    await annotate(`shown after ${took} ms`);
  });

  test('marks a key that nobody knows, as soon as it calls', async () => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1', { times: 3 });
    const { page } = await open();
    await page.goto(url);
    await live(page);
    await call('zz_new_1');
    await page.locator('#workspaces tr.first').waitFor();
    expect(await page.locator('#workspaces tr.first th').textContent()).toMatch(/^zz….* unknown key$/);
  });

  test('asks for nothing elsewhere, and nothing is refused or fails', async () => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1');
    const { page, requests, complaints } = await open();
    await page.goto(url);
    await live(page);
    await call('mk_acme_1');
    await shows(page, 'Acme', '2');
    expect(requests.filter((request) => !request.startsWith(url))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('searches while somebody types', async () => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1');
    await call('mk_bolt_1');
    const { page } = await open();
    await page.goto(url);
    await live(page);
    await page.getByRole('searchbox').fill('rivet');
    await expect.poll(() => names(page)).toEqual(['Bolt Logistics']);
    expect(new URL(page.url()).searchParams.get('q')).toBe('rivet');
  });

  test('sorts by keyboard alone, and says by what', async () => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1', { times: 3 });
    await call('mk_bolt_1');
    const { page } = await open();
    await page.goto(url);
    await live(page);
    await page.locator('#workspaces-by-now').focus();
    await page.keyboard.press('Enter');
    await page.locator('th[aria-sort=descending]').waitFor();
    await expect.poll(() => names(page)).toEqual(['Acme', 'Bolt Logistics']);
    await page.keyboard.press('Space');
    await page.locator('th[aria-sort=ascending]').waitFor();
    await expect.poll(() => names(page)).toEqual(['Bolt Logistics', 'Acme']);
    expect(await page.evaluate('document.activeElement.id')).toBe('workspaces-by-now');
  });

  test('goes by the hour where a day is chosen', async () => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1');
    const { page } = await open();
    await page.goto(url);
    await live(page);
    await page.getByLabel('Period').selectOption('Last 24 hours');
    await page.locator('figcaption', { hasText: 'hour by hour' }).waitFor();
    await page.reload();
    await page.locator('figcaption', { hasText: 'hour by hour' }).waitFor();
    expect(await page.getByLabel('Period').inputValue()).toBe('24h');
  });

  test('keeps what somebody does with it when it changes', async () => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1');
    await call('mk_bolt_1');
    const { page } = await open();
    await page.goto(url);
    await live(page);
    const folded = page.locator('#workspaces details').first();
    await folded.locator('summary').click();
    await page.getByRole('searchbox').fill('acme');
    await expect.poll(() => names(page)).toEqual(['Acme']);
    await page.locator('#workspaces summary').focus();
    await call('mk_acme_1');
    await shows(page, 'Acme', '2');
    expect(await folded.getAttribute('open')).not.toBeNull();
    expect(await page.getByRole('searchbox').inputValue()).toBe('acme');
    expect(await page.evaluate('document.activeElement.localName')).toBe('summary');
    await expect.poll(() => names(page)).toEqual(['Acme']);
  });

  test('says when the connection is lost, and comes back by itself', async () => {
    const { page: url, call, restart } = await startLiveProxy();
    await call('mk_acme_1');
    const { page } = await open();
    await page.goto(url);
    await live(page);
    const lost = page.getByRole('status').filter({ hasText: 'Connection lost' }).waitFor();
    await restart();
    await lost;
    await live(page);
    await call('mk_acme_1');
    await shows(page, 'Acme', '2');
    expect(await page.getByRole('status').textContent()).toBe('Live');
  });

  test('is searched, sorted and read without a script', async () => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1', { times: 2 });
    await call('mk_bolt_1');
    const { page } = await open({ javaScriptEnabled: false });
    await page.goto(url);
    await page.locator('#workspaces-by-now').click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await page.locator('#workspaces-by-now').click();
    await page.locator('th[aria-sort=ascending]').waitFor();
    await expect.poll(() => names(page)).toEqual(['Bolt Logistics', 'Acme']);
    await page.getByRole('searchbox').fill('ada');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => names(page)).toEqual(['Acme']);
    expect(await page.locator('th[aria-sort=ascending]').count()).toBe(1);
  });

  test('opens after signing in, and shows neither token nor key', async () => {
    const { page: url, call } = await startLiveProxy({ adminToken: 'open-sesame' });
    await call('mk_acme_1234567890');
    const { page } = await open();
    await page.goto(url);
    await page.getByLabel('Admin token').fill('open-sesame');
    await page.keyboard.press('Enter');
    await live(page);
    const text = await page.content();
    expect(text).toContain('Acme');
    expect(text).not.toMatch(/open-sesame|mk_acme_123/);
  });
});

describe.for([
  { name: 'in light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'in the dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'on a phone', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const)('the live page $name', ({ colorScheme, viewport }) => {
  test('is accessible, and no wider than the screen', async () => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1');
    await call('zz_new_1');
    const { page } = await open({ colorScheme, viewport });
    await page.goto(url);
    await live(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
  });
});
