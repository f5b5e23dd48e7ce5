import { jsonPieces, type Pieces } from '../../text/escape.ts';
import type { Report } from '../model.ts';

/** The report itself: see report.schema.json. It comes in pieces, as it may be long: 25 MB for 2,000 clients of 90 days. */
export const renderJson = (report: Report): Pieces => jsonPieces(report);
