import { createRequire } from 'node:module';

interface Page {
  readonly window: Readonly<Record<string, unknown>>;
}
/** jsdom comes without types. */
const { JSDOM }: { JSDOM: new (html: string, options: object) => Page } = createRequire(import.meta.url)('jsdom');

const shared = ['document', 'location', 'localStorage', 'XMLHttpRequest', 'FormData', 'HTMLElement', 'DOMParser'];

/** Makes this thread look like a page of a browser to code that is written for one. */
export function openPage(url: string): void {
  const { window } = new JSDOM('<!doctype html><title>App</title><main id="app"></main>', { url, pretendToBeVisual: true });
  const globals = { window, ...Object.fromEntries(shared.map((name) => [name, window[name]])) };
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}
