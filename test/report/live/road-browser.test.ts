import { describe, expect, test } from 'vitest';
import { accessibilityFaults, faultsInLight, withBrowser } from '../../helpers/browser.ts';
import { startRoadProxy } from './road-proxy.ts';

const open = withBrowser();

describe('the page about a roll-out', () => {
  test('is signed in to, stops everything and resumes, with forms alone', async () => {
    const { page: url, proxy } = await startRoadProxy({ adminToken: 'open-sesame' });
    const { page } = await open({ javaScriptEnabled: false });
    await page.goto(url);
    await page.getByLabel('Admin token').fill('open-sesame');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The rules hold' }).waitFor();
    await page.getByRole('button', { name: 'Stop: let v1 answer every call' }).click();
    await page.getByRole('heading', { name: 'Stopped: v1 answers every call' }).waitFor();
    expect(page.url()).toBe(url);
    expect(proxy.log.of('rollout_stopped')).toHaveLength(1);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('heading', { name: 'The rules hold' }).waitFor();
    await page.getByRole('button', { name: 'Stop for good: weekly' }).click();
    await page.locator('#brownouts', { hasText: 'it refuses nobody any more' }).waitFor();
  });

  test('releases a rule that its guard took back', async () => {
    const { page: url, call } = await startRoadProxy({ adminToken: 'open-sesame', v2Status: 503 });
    await call('mk_acme_1', 3);
    const { page } = await open();
    await page.setExtraHTTPHeaders({ Authorization: 'Bearer open-sesame' });
    await page.goto(url);
    await page.getByRole('heading', { name: 'A rule is taken back' }).waitFor();
    expect(await page.locator('#rules tr.first').textContent()).toContain('observe (taken back)');
    await page.getByRole('button', { name: 'Release: acme' }).click();
    await page.getByRole('heading', { name: 'The rules hold' }).waitFor();
    expect(await page.locator('#steps tbody th').first().textContent()).toBe('releasedacme');
  });

  test('leads to the page about usage, and back', async () => {
    const { page: url, proxy } = await startRoadProxy();
    const { page, complaints, requests } = await open();
    await page.goto(url);
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.waitForURL(/\/usage$/);
    await page.getByRole('link', { name: 'Roll-out' }).click();
    await page.waitForURL(url);
    expect(complaints).toEqual([]);
    expect(requests.filter((request) => !request.startsWith(proxy.adminUrl))).toEqual([]);
  });
});

// Sizes differ on a phone, colours do not.
test.for([
  { name: 'on a screen', viewport: { width: 1280, height: 900 }, faultsOf: accessibilityFaults },
  { name: 'on a phone', viewport: { width: 390, height: 844 }, faultsOf: faultsInLight },
])('the page about a roll-out $name is accessible, and no wider than the screen', async ({ viewport, faultsOf }) => {
  const { page: url, call } = await startRoadProxy({ adminToken: 'open-sesame', v2Status: 503 });
  await call('mk_acme_1', 3);
  await call('zz_nobody');
  const { page } = await open({ viewport });
  await page.setExtraHTTPHeaders({ Authorization: 'Bearer open-sesame' });
  await page.goto(url);
  await page.locator('#steps').waitFor();
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/road-${viewport.width}.png`, fullPage: true });
  expect(await faultsOf(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
});
