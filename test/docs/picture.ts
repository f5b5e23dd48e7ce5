/** `npm run docs:picture`: goes the tour, and takes the picture of its report that README.md shows. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { projectRoot } from '../helpers/build.ts';
import { startBrowser } from '../helpers/browsers.ts';

export const picture = join(projectRoot, 'docs/images/report.png');

/** What it may have, in bytes: whoever opens README.md loads it. */
export const maxPictureBytes = 150_000;

/** How it is looked at, whatever the machine. */
export const pictureContext = { viewport: { width: 1120, height: 620 }, colorScheme: 'light', locale: 'en-GB', timezoneId: 'UTC' } as const;

/**
 * Takes a picture of the top of a report.
 * @param page in a context like `pictureContext`
 * @param report its address
 * @returns a PNG
 */
export async function takePicture(page: Page, report: string): Promise<Buffer> {
  await page.goto(report);
  return page.screenshot();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const started = await startBrowser();
  if ('lack' in started) throw new Error(`There is no ${started.lack}`);
  try {
    const report = pathToFileURL(join(projectRoot, 'tour/report.html')).href;
    const png = await takePicture(await started.browser.newPage(pictureContext), report);
    mkdirSync(dirname(picture), { recursive: true });
    writeFileSync(picture, png);
    console.log(`${picture}: ${png.length} bytes, at most ${maxPictureBytes}`);
  } finally {
    await started.end();
  }
}
