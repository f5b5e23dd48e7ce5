import { json } from '../../text/escape.ts';
import type { Report } from '../model.ts';

/** The report itself: see report.schema.json. */
export const renderJson = (report: Report): string => json(report);
