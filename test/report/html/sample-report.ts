import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildReport, type ReportOptions } from '../../../src/report/build.ts';
import type { Report } from '../../../src/report/model.ts';
import { openReader } from '../../../src/usage/store/open.ts';
import { fillStore, type StoreContent } from '../../helpers/usage-store.ts';
import { sampleOptions, sampleStore } from './sample.ts';

/** A real report on a record of its own. */
export async function sampleReport(content: StoreContent = sampleStore, options: Partial<ReportOptions> = {}): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-html-'));
  const path = join(folder, 'usage.db');
  await fillStore(path, content);
  const reader = await openReader(path);
  try {
    return await buildReport(reader, { ...sampleOptions, ...options });
  } finally {
    await reader.close();
    rmSync(folder, { recursive: true });
  }
}
