/** The process that makes and renders the reports of the live page: no query, and no page, ever keeps a call of the proxy waiting. It ends with its maker. */
import type { Rollout } from '../../rollout/rules.ts';
import { StoreError } from '../../usage/store/error.ts';
import { openReader } from '../../usage/store/open.ts';
import type { UsageReader } from '../../usage/store/store.ts';
import { buildReport } from '../build.ts';
import { renderCsv } from '../formats/csv.ts';
import { renderJson } from '../formats/json.ts';
import { mainSections, titleOf } from '../html/main.ts';
import type { Report } from '../model.ts';
import { countUse, type Counted } from '../road/use.ts';
import type { Answer, Ask, AskForData, AskForReport, AskForUse, LiveSource, Part, Rendered } from './messages.ts';
import { livePeriods, type LiveView } from './view.ts';

/** What comes first of all. */
let source: LiveSource | undefined;

function sourceOf(): LiveSource {
  if (source === undefined) throw new Error('A question came before what reports are made from');
  return source;
}

/** Of each choice of calls the last report, the newest last. */
const made = new Map<string, { readonly report: Report; readonly at: number; readonly edition: number }>();
const mostKept = 8;

async function reading<T>(read: (reader: UsageReader) => Promise<T>): Promise<T> {
  const reader = await openReader(sourceOf().store);
  try {
    return await read(reader);
  } finally {
    await reader.close();
  }
}

const make = ({ period, search, workspace }: LiveView, rollout: Rollout | undefined): Promise<Report> =>
  reading((reader) =>
    buildReport(reader, { ...sourceOf(), rollout, since: { ago: livePeriods[period] }, now: Date.now(), find: { search, workspace } }),
  );

const countFor = ({ rules, now }: AskForUse): Promise<Counted> =>
  reading((reader) => countUse(reader, { rules, workspaces: sourceOf().workspaces, now }));

async function reportFor({ view, notBefore, rollout, edition }: AskForReport): Promise<Report> {
  const choice = JSON.stringify([view.period, view.search, view.workspace]);
  const known = made.get(choice);
  if (known !== undefined && known.at >= notBefore && known.edition === edition) return known.report;
  const at = Date.now();
  const report = await make(view, rollout);
  made.delete(choice);
  made.set(choice, { report, at, edition });
  for (const oldest of [...made.keys()].slice(0, -mostKept)) made.delete(oldest);
  return report;
}

function render(report: Report, { view, proxyUrl }: AskForReport): Rendered {
  const sections = mainSections(report, { view, proxyUrl }).map(({ id, html }) => ({ id, html: String(html) }));
  return { title: titleOf(report), of: report.of, made: report.made, sections };
}

/** Bytes of a part. */
const partSize = 64 * 1024;

function sendData(report: Report, { id, as }: AskForData): void {
  const bytes = Buffer.from(as.format === 'csv' ? renderCsv(report, as) : [...renderJson(report)].join(''));
  for (let at = 0; at < bytes.length; at += partSize) tell({ id, part: bytes.subarray(at, at + partSize) });
}

async function answer(ask: Ask): Promise<Answer> {
  const began = performance.now();
  const took = (): number => performance.now() - began;
  try {
    if ('rules' in ask) {
      const counted = await countFor(ask);
      return { id: ask.id, took: took(), counted };
    }
    const report = await reportFor(ask);
    if ('as' in ask) {
      sendData(report, ask);
      return { id: ask.id, took: took(), data: 'whole' };
    }
    return { id: ask.id, took: took(), rendered: render(report, ask) };
  } catch (error) {
    return { id: ask.id, took: took(), failed: error instanceof StoreError ? error.message : 'The report could not be made' };
  }
}

const tell = (message: Answer | Part): void => void process.send?.(message);

/** One after the other: a report that is asked for twice is made once. */
async function serve(before: Promise<void>, ask: Ask): Promise<void> {
  await before;
  tell(await answer(ask));
}

let last = Promise.resolve();
process.on('message', (message: LiveSource | Ask) => {
  if ('id' in message) last = serve(last, message);
  else source = message;
});
