/** Sends what changed on the page to whoever has it open. */
import type { ServerResponse } from 'node:http';
import type { Rendered, Section } from './messages.ts';
import { NoReport, type Reports } from './reports.ts';
import { keyOf, type LiveView } from './view.ts';

/** More open pages than this are turned away. */
const mostListeners = 50;
/** Proxies on the way close what is silent for longer; who has read nothing for as long is gone. */
const beatEvery = 15_000;

export type Renderer = Pick<Reports, 'pace' | 'render'>;

/** What somebody has of the page: its sections by their ids. */
type Shown = ReadonlyMap<string, string>;

interface Listener {
  readonly view: LiveView;
  readonly res: ServerResponse;
  /** What it has; an update that it was too slow for is not lost, as the next one is told against this. */
  shown: Shown;
  failed: string | undefined;
  /** Whether it had not read what it was sent when the last beat was due. */
  late: boolean;
}

export class Hub {
  readonly #reports: Renderer;
  readonly #listeners = new Set<Listener>();
  readonly #beats: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #updating = false;

  constructor(reports: Renderer) {
    this.#reports = reports;
    this.#beats = setInterval(() => this.#beat(), beatEvery).unref();
  }

  /** Takes a listener in; false where there are too many. */
  add(view: LiveView, res: ServerResponse): boolean {
    if (this.#listeners.size >= mostListeners) return false;
    const listener: Listener = { view, res, shown: new Map(), failed: undefined, late: false };
    this.#listeners.add(listener);
    res.on('close', () => this.#listeners.delete(listener));
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    res.write('retry: 2000\n\n');
    void this.#update([listener]);
    return true;
  }

  /** Something was recorded. */
  news(): void {
    this.#reports.pace.news();
    this.#arm();
  }

  close(): void {
    clearInterval(this.#beats);
    clearTimeout(this.#timer);
    for (const { res } of this.#listeners) res.end();
    this.#listeners.clear();
  }

  #arm(): void {
    const { next } = this.#reports.pace;
    if (next === undefined || this.#timer !== undefined || this.#updating || this.#listeners.size === 0) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        void this.#updateAll();
      },
      Math.max(0, next - Date.now()),
    ).unref();
  }

  async #updateAll(): Promise<void> {
    this.#updating = true;
    const views = Map.groupBy(this.#listeners, ({ view }) => keyOf(view));
    for (const listeners of views.values()) await this.#update(listeners);
    this.#updating = false;
    this.#arm();
  }

  /** @param listeners with the same view */
  async #update(listeners: readonly Listener[]): Promise<void> {
    const [first] = listeners;
    if (first === undefined) return;
    // Who has left meanwhile, or was sent away at the end, is written to no more: nobody would catch the error of it.
    const present = (): Listener[] => listeners.filter((listener) => this.#listeners.has(listener));
    try {
      const rendered = await this.#reports.render(first.view);
      showAll(present(), rendered);
    } catch (error) {
      const why = error instanceof NoReport ? error.message : 'The report could not be made';
      for (const listener of present()) tellFailure(listener, why);
    }
  }

  #beat(): void {
    for (const listener of this.#listeners) {
      const { res } = listener;
      if (listener.late && res.writableNeedDrain) res.destroy();
      else if (!res.writableNeedDrain) res.write(': here\n\n');
      listener.late = res.writableNeedDrain;
    }
  }
}

/** Those who have the same get the same: it is put together once. */
function showAll(listeners: readonly Listener[], { title, made, sections }: Rendered): void {
  const next: Shown = new Map(sections.map(({ id, html }) => [id, html]));
  const ids = sections.map(({ id }) => id);
  const messages = new Map<Shown, Buffer>();
  for (const listener of listeners) {
    const { shown, res } = listener;
    if (res.writableNeedDrain) continue;
    const changed = (): readonly Section[] => sections.filter(({ id, html }) => shown.get(id) !== html);
    const message = messages.get(shown) ?? messageOf('report', { title, made, ids, sections: changed() });
    messages.set(shown, message);
    res.write(message);
    listener.shown = next;
    listener.failed = undefined;
  }
}

/** Once, and not again and again. */
function tellFailure(listener: Listener, why: string): void {
  if (listener.failed === why || listener.res.writableNeedDrain) return;
  listener.failed = why;
  listener.res.write(messageOf('failed', { why }));
}

const messageOf = (event: string, data: object): Buffer => Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
