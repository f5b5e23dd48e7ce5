import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { renderHtml } from '../../../src/report/html/render.ts';
import type { Report } from '../../../src/report/model.ts';
import { maxPictureBytes, picture, pictureContext, takePicture } from '../../docs/picture.ts';
import { accessibilityFaults, faultsInLight, withBrowser } from '../../helpers/browser.ts';
import { daily, now } from '../../helpers/usage-store.ts';
import { roadContent, roadWorkspaces } from '../rollout/sample.ts';
import { sampleReport } from './sample-report.ts';

const open = withBrowser();
let text: string;
let withRoad: string;
beforeAll(async () => {
  text = renderHtml(await sampleReport());
  withRoad = renderHtml(await sampleReport(roadContent, { workspaces: roadWorkspaces }));
});

/** A report with as many workspaces as a large customer base has. */
async function crowded(): Promise<Report> {
  const report = await sampleReport();
  const [workspace] = report.workspaces;
  if (workspace === undefined) throw new Error('The sample has none');
  const workspaces = Array.from({ length: 300 }, (_, index) => ({ ...workspace, name: `Workspace number ${index}`, keys: [`${index}`] }));
  return { ...report, workspaces };
}

/** Names as long as customers have them, and longer. */
const longNames = ['mk_acme_', 'mk_bolt_', 'mk_core'].map((key, index) => ({
  name: `The ${index + 1}. Consolidated International Shipping and Logistics Corporation of Greater Springfield`,
  owner: 'Customer Success for Europe, the Middle East and Africa',
  keys: [key],
  plan: 'Enterprise' as const,
  status: { status: 'promised', until: now } as const,
}));

/** The address of the report as a file. */
function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'report.html');
  writeFileSync(path, text);
  return pathToFileURL(path).href;
}

/** Opens all that the page can unfold. */
const unfold = (page: Page): Promise<void> => page.evaluate(`document.querySelectorAll('details').forEach((each) => (each.open = true))`);
const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');
const [onScreen, onPhone] = [{ viewport: { width: 1280, height: 900 } }, { viewport: { width: 390, height: 844 } }];

test('the file is accessible, with all that it can unfold, and no wider than the screen', async () => {
  const { page } = await open(onScreen);
  await page.goto(fileOf(text));
  expect(await widthOf(page)).toBe(1280);
  await unfold(page);
  expect(await accessibilityFaults(page)).toEqual([]);
});

// Sizes differ there, colours do not; and nothing is unfolded.
test('the file is so on a phone', async () => {
  const { page } = await open(onPhone);
  await page.goto(fileOf(text));
  expect(await widthOf(page)).toBe(390);
  expect(await faultsInLight(page)).toEqual([]);
});

test('the file is so with a roll-out, too', async () => {
  const { page } = await open(onScreen);
  await page.goto(fileOf(withRoad));
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await widthOf(page)).toBe(1280);
  await page.setViewportSize(onPhone.viewport);
  expect(await widthOf(page)).toBe(390);
});

test('the picture that README.md shows is one that npm run docs:picture makes, and small', async () => {
  const { page } = await open(pictureContext);
  const { width, height } = pictureContext.viewport;
  for (const png of [readFileSync(picture), await takePicture(page, fileOf(text))]) {
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height]);
    expect(png.length).toBeLessThan(maxPictureBytes);
  }
});

test('names that are one long word do not make it wider', async () => {
  const name = 'W'.repeat(200);
  const traffic = [{ key: 'mk_acme_1', client: name, calls: daily(20, 0, 3) }];
  const report = await sampleReport({ traffic }, { workspaces: [{ name, keys: ['mk_acme_'], owner: name, note: name }] });
  const { page } = await open(onPhone);
  await page.goto(fileOf(renderHtml(report)));
  await unfold(page);
  expect(await widthOf(page)).toBe(390);
});

test('nothing is asked for but the file, and nothing is refused', async () => {
  const { page, requests, complaints } = await open();
  const url = fileOf(text);
  await page.goto(url);
  expect(requests).toEqual([url]);
  expect(complaints).toEqual([]);
});

test('its looks are applied, without a script', async () => {
  const { page } = await open({ javaScriptEnabled: false });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(fileOf(text));
  // Asked of the debugger, as the page has no scripts.
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'body' });
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { computedStyle } = await session.send('CSS.getComputedStyleForNode', { nodeId });
  expect(computedStyle.find(({ name }) => name === 'background-color')?.value).toBe('rgb(15, 18, 22)');
});

test('each row of its tables has one line on a screen of 1,280 px, and none is wider than that', async () => {
  const { page } = await open(onScreen);
  const [road, named] = [fileOf(withRoad), fileOf(renderHtml(await sampleReport(undefined, { workspaces: longNames })))];
  for (const url of [fileOf(text), road, named]) {
    await page.goto(url);
    await page.evaluate(`document.querySelectorAll('section details:not(td details, th details)').forEach((each) => (each.open = true))`);
    const faults = `[...document.querySelectorAll('table:not(.prose)')].flatMap((table) => [
      ...(table.offsetWidth > table.parentElement.clientWidth ? [table.id + ' is too wide'] : []),
      ...[...table.querySelectorAll('tr:not(.under)')].filter((row) => row.offsetHeight > 42).map((row) => table.id + ': ' + row.textContent)
    ])`;
    expect(await page.evaluate(faults)).toEqual([]);
  }
});

describe('the script of the file', () => {
  const names = (page: Page): Promise<string[]> => page.locator('#workspaces tbody th bdi:visible').allTextContents();

  test('sorts, searches in the tables and keeps that in the address, and says that the verdict is of all', async () => {
    const { page, complaints } = await open();
    await page.goto(fileOf(text));
    await page.locator('#workspaces th', { hasText: 'Workspace' }).getByRole('button').click();
    expect((await names(page)).slice(0, 3)).toEqual(['Acme', 'Bolt Logistics', 'Core']);
    const calls = page.locator('#workspaces th', { hasText: 'In 7 days' });
    await calls.getByRole('button').press('Enter');
    expect([(await names(page))[0], await calls.getAttribute('aria-sort')]).toEqual(['Acme', 'descending']);
    await page.locator('#workspaces summary', { hasText: 'Core' }).click();
    expect(await page.locator('#workspaces tr.under:visible').textContent()).toContain('GET /v1/messages/:id');
    await page.getByRole('searchbox').fill('rivet');
    expect(await names(page)).toEqual(['Bolt Logistics']);
    expect(await page.getByRole('status').textContent()).toMatch(/^\d+ of \d+ rows; the verdict, figures and charts are of all$/);
    await page.reload();
    expect(await names(page)).toEqual(['Bolt Logistics']);
    expect(complaints).toEqual([]);
  });

  test('unfolds what a name leads to, which without a script is shown as well', async () => {
    for (const { page } of [await open(), await open({ javaScriptEnabled: false })]) {
      await page.goto(fileOf(text));
      await page.locator('#verdict .answers a').first().click();
      expect(await page.locator('#workspaces tr.under:visible').textContent()).toContain('Ada Lovelace');
    }
  });

  test('puts instants into local time', async () => {
    const { page } = await open({ timezoneId: 'Asia/Kolkata' });
    await page.goto(fileOf(text));
    const made = page.locator('#heading time.at');
    expect(await made.textContent()).toBe('2026-11-20 12:00 UTC');
    await page.getByLabel('Local time').check();
    expect(await made.textContent()).toBe('2026-11-20 17:30 GMT+5:30');
  });
});

test('what is printed are two pages, and the rest with what is folded away where somebody asks', async () => {
  const { page } = await open();
  await page.goto(fileOf(renderHtml(await crowded())));
  const pages = async (): Promise<number> => (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
  expect(await pages()).toBe(2);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('#workspaces tbody th bdi').first().isVisible()).toBe(true);
  expect(await page.getByRole('searchbox').isVisible()).toBe(false);
  const folded = page.locator('#trend tbody tr').first();
  expect(await folded.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await page.getByLabel('Print all of it').check();
  await page.emulateMedia({ media: 'print' });
  expect(await folded.isVisible()).toBe(true);
  expect(await pages()).toBeGreaterThan(4);
});
