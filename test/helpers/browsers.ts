/** Where a machine may have a browser, and which of them starts. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { fontsIn, unpack } from './browser-unpack.ts';

export type Started = { readonly browser: Browser; end(): Promise<void> } | { readonly lack: string };

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

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** How to start a browser that may be there; what has to be unpacked goes into the folder, which is the temporary one meanwhile. */
type Place = (folder: string) => LaunchOptions | Promise<LaunchOptions>;

/**
 * The one that CHROMIUM names and no other, or ours, those on the path, those that Playwright knows where each system has, and its own. Ours is a shell without
 * windows and extensions: it takes less than half the time of a whole browser, and is the same on each machine.
 */
function places(): Place[] {
  const named = process.env['CHROMIUM'];
  if (named !== undefined) return [() => ({ executablePath: named })];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? []);
  const installed = [...onPath.map((executablePath) => ({ executablePath })), { channel: 'chrome' }, { channel: 'msedge' }, {}];
  return [
    ...(isPackaged ? [process.env['BROWSER_DESK'] === undefined ? packaged : unpacked] : []),
    ...installed.map((where) => () => where),
  ];
}

/** A browser comes with the packages, for a Linux without any: it brings the libraries and the fonts that an empty system lacks. */
export const isPackaged = process.platform === 'linux' && process.arch === 'x64';

const startedIn = (folder: string): LaunchOptions => ({
  executablePath: join(folder, 'chromium'),
  env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: fontsIn(folder) },
});

export const packaged: Place = async (folder) => {
  await unpack(folder);
  return startedIn(folder);
};

/** As it is unpacked once for the whole run; see browser-run.ts. */
export async function unpacked(): Promise<LaunchOptions> {
  const answer = await fetch(process.env['BROWSER_DESK'] ?? '');
  const said = await answer.text();
  if (!answer.ok) throw new Error(said);
  return startedIn(said);
}

/**
 * Starts the first browser that starts.
 * @returns it, or what there is to say where there is none
 * @throws where CHROMIUM names one that does not start
 */
export async function startBrowser(among: readonly Place[] = places()): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-browser-'));
  const remove = (): void => rmSync(folder, { recursive: true });
  const faults: string[] = [];
  // What is left behind by a browser that does not start goes with the folder.
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = folder;
  try {
    for (const place of among) {
      try {
        const browser = await chromium.launch({ ...(await place(folder)), args });
        return { browser, end: () => browser.close().then(remove) };
      } catch (error) {
        faults.push(...faultOf(String(error)));
      }
    }
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
  remove();
  if (process.env['CHROMIUM'] !== undefined) throw new Error(`CHROMIUM names no browser that starts: ${faults.join()}`);
  const told = faults.map((fault) => `; there is one that does not start: ${fault}`).join('');
  return { lack: `a browser (apt-get install chromium, or say in CHROMIUM where one is${told})` };
}

/** What a browser that is there said before it ended; nothing of one that is not there and that nobody named. */
function faultOf(error: string): string[] {
  if (process.env['CHROMIUM'] === undefined && /is not found at|doesn't exist at/.test(error)) return [];
  return [/\[err\] (.*)/.exec(error)?.[1] ?? error.split('\n')[0] ?? ''];
}
