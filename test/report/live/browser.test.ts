import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults, faultsInLight, withBrowser } from '../../helpers/browser.ts';
import { startLiveProxy, useLiveProxy } from './live-proxy.ts';

const open = withBrowser();

/** The calls of a workspace as the page shows them. */
const callsOf = (page: Page, workspace: string) => page.locator('#workspaces tbody tr', { hasText: workspace }).locator('td').nth(2);
const names = (page: Page): Promise<string[]> => page.locator('#workspaces tbody th bdi').allTextContents();
const isLive = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: /^Live$/ })
    .waitFor();
const shows = (page: Page, workspace: string, calls: string): Promise<void> =>
  callsOf(page, workspace)
    .filter({ hasText: new RegExp(`^${calls}$`) })
    .waitFor();

describe('the live page', () => {
  test('shows a call that is made while it is open, asks for nothing elsewhere, and nothing is refused or fails', async ({ annotate }) => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1');
    const { page, requests, complaints } = await open();
    await page.goto(url);
    await isLive(page);
    await shows(page, 'Acme', '1');
    const began = performance.now();
    await call('mk_acme_1');
    await shows(page, 'Acme', '2');
    const took = Math.round(performance.now() - began);
    expect(await callsOf(page, 'Acme').textContent()).toBe('2');
    expect(requests.filter((request) => !request.startsWith(url))).toEqual([]);
    expect(complaints).toEqual([]);
    await annotate(`shown after ${took} ms`);
  });

  test('marks a key that nobody knows, as soon as it calls', async () => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1', { times: 3 });
    const { page } = await open();
    await page.goto(url);
    await isLive(page);
    await call('zz_new_1');
    await page.locator('#workspaces tr.first').waitFor();
    expect(await page.locator('#workspaces tr.first th').textContent()).toMatch(/^zz….* unknown key$/);
  });

  test('leads to a page of a workspace, and back, and gives what it shows as data', async () => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1', { client: 'acme-crm/2.1' });
    await call('mk_bolt_1');
    const { page } = await open();
    await page.goto(`${url}?period=7d`);
    await page.locator('#workspaces summary', { hasText: 'Acme' }).click();
    await page.getByRole('link', { name: 'A page of its own for Acme' }).click();
    await page.getByRole('heading', { level: 1, name: 'v1 usage report of Acme' }).waitFor();
    await isLive(page);
    const clients = page.locator('#clients tbody th');
    expect(await clients.count()).toBe(1);
    await call('mk_acme_1', { client: 'curl/8.5' });
    await clients.nth(1).waitFor();
    expect(await page.locator('#report').textContent()).not.toContain('Bolt');
    const csv = await (await fetch(new URL((await page.getByLabel('These clients as CSV').getAttribute('href')) ?? '', url))).text();
    expect(csv.split('\r\n').map((line) => line.split(',')[2])).toEqual(['workspace', 'Acme', 'Acme', undefined]);
    await page.getByRole('link', { name: 'All workspaces' }).click();
    await expect.poll(async () => (await names(page)).toSorted()).toEqual(['Acme', 'Bolt Logistics']);
    expect(new URL(page.url()).search).toBe('?period=7d');
  });

  test('keeps what somebody does with it when it changes', async () => {
    const { page: url, call } = await startLiveProxy();
    await call('mk_acme_1');
    await call('mk_bolt_1');
    const { page } = await open();
    await page.goto(url);
    await isLive(page);
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
    await isLive(page);
    const lost = page.getByRole('status').filter({ hasText: 'Connection lost' }).waitFor();
    await restart();
    await lost;
    await isLive(page);
    await call('mk_acme_1');
    await shows(page, 'Acme', '2');
    expect(await page.getByRole('status').textContent()).toBe('Live');
  });

  test('opens after signing in, and shows neither token nor key', async () => {
    const { page: url, call } = await startLiveProxy({ adminToken: 'open-sesame' });
    await call('mk_acme_1234567890');
    const { page } = await open();
    await page.goto(url);
    await page.getByLabel('Admin token').fill('open-sesame');
    await page.keyboard.press('Enter');
    await isLive(page);
    const text = await page.content();
    expect(text).toContain('Acme');
    expect(text).not.toMatch(/open-sesame|mk_acme_123/);
  });
});

describe('the live page of three calls of one workspace and one of another', () => {
  const live = useLiveProxy(async ({ call }) => {
    await call('mk_acme_1', { times: 3 });
    await call('mk_bolt_1');
  });

  test('searches while somebody types', async () => {
    const { page: url } = live();
    const { page } = await open();
    await page.goto(url);
    await isLive(page);
    await page.getByRole('searchbox').fill('rivet');
    await expect.poll(() => names(page)).toEqual(['Bolt Logistics']);
    expect(new URL(page.url()).search).toBe('?q=rivet');
    expect(await page.locator('.filtered').textContent()).toMatch(
      /^Filtered by “rivet”: 1 client of\s1 workspace – Bolt Logistics\. The verdict, all figures/,
    );
    expect(await page.locator('#clients tbody th').count()).toBe(1);
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toBe('What is shown still uses v1');
    await page.getByRole('searchbox').fill('nobody at all');
    await page.locator('.empty', { hasText: 'No workspace and no client has' }).waitFor();
    expect(await page.locator('#report > section').count()).toBe(1);
    await page.getByRole('link', { name: 'Show everything' }).click();
    await expect.poll(() => names(page)).toEqual(['Acme', 'Bolt Logistics']);
  });

  test('sorts by keyboard alone, and says by what', async () => {
    const { page: url } = live();
    const { page } = await open();
    await page.goto(url);
    await isLive(page);
    await page.locator('#workspaces-by-now').focus();
    await page.keyboard.press('Enter');
    await page.locator('th[aria-sort=descending]').waitFor();
    await expect.poll(() => names(page)).toEqual(['Acme', 'Bolt Logistics']);
    await page.keyboard.press('Space');
    await page.locator('th[aria-sort=ascending]').waitFor();
    await expect.poll(() => names(page)).toEqual(['Bolt Logistics', 'Acme']);
    expect(await page.evaluate('document.activeElement.id')).toBe('workspaces-by-now');
  });

  test('writes instants in local time where somebody wants to, and keeps that in the address', async () => {
    const { page: url } = live();
    const { page } = await open({ timezoneId: 'Asia/Kolkata' });
    await page.goto(url);
    await isLive(page);
    const last = page.locator('#clients time.ago').first();
    expect(await last.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    await page.locator('select[name=times]').selectOption('Local time');
    await page.locator('#clients time.ago[title$="GMT+5:30"]').first().waitFor();
    expect(new URL(page.url()).search).toBe('?times=local');
    expect(await page.locator('#heading time.at').textContent()).toMatch(/ GMT\+5:30$/);
    expect(await last.textContent()).toMatch(/^just now$|ago$/);
  });

  test('goes by the hour where a day is chosen', async () => {
    const { page: url } = live();
    const { page } = await open();
    await page.goto(url);
    await isLive(page);
    await page.getByLabel('Period').selectOption('Last 24 hours');
    await page.locator('figcaption', { hasText: 'hour by hour' }).waitFor();
    await page.reload();
    await page.locator('figcaption', { hasText: 'hour by hour' }).waitFor();
    expect(await page.getByLabel('Period').inputValue()).toBe('24h');
  });

  test('is searched, sorted and read without a script', async () => {
    const { page: url } = live();
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
});

describe('the live page of a workspace and a key that nobody knows', () => {
  const live = useLiveProxy(async ({ call }) => {
    await call('mk_acme_1');
    await call('zz_new_1');
  });

  // Sizes differ on a phone, colours do not.
  test.for([
    { name: 'on a screen', viewport: { width: 1280, height: 900 }, faultsOf: accessibilityFaults },
    { name: 'on a phone', viewport: { width: 390, height: 844 }, faultsOf: faultsInLight },
  ])('$name is accessible, and no wider than the screen', async ({ viewport, faultsOf }) => {
    const { page: url } = live();
    const { page } = await open({ viewport });
    await page.goto(url);
    await isLive(page);
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
  });
});
