/** The report for programs. `report.schema.json` describes it; its version changes when something in it goes or changes its meaning. */
import type { Call } from '../model.ts';
import { json as stringify } from '../../src/text/escape.ts';
import {
  candidatesOf,
  editsPerFile,
  madeEdits,
  movedCalls,
  movedPerEndpoint,
  type Report,
  type Reporter,
  remarks,
  routeLabel,
  routesOf,
  unmovedCalls,
} from './report.ts';

export const jsonVersion = 1;

/** Edits without their texts: the patch (`--diff`) has these. */
function lists(report: Report) {
  const { places, result } = report;
  const isWritten = new Set(result.written);
  const callOf = ({ file, start, end, endpoint, client, group, proof }: Call) => ({
    ...routesOf(endpoint),
    endpoint,
    client,
    group,
    file,
    start,
    end,
    ...places.at({ file, start, end }),
    proof: proof.map((step) => ({
      step: step.step,
      text: step.text,
      file: step.file,
      start: step.start,
      end: step.end,
      ...places.at(step),
    })),
  });
  return {
    files: editsPerFile(report).map(({ file, edits }) => ({ file, edits, written: isWritten.has(file) })),
    calls: movedCalls(report).map(callOf),
    unmoved: unmovedCalls(report).map(callOf),
    edits: madeEdits(report).map(({ file, start, end, what, group }) => ({
      what,
      group,
      file,
      start,
      end,
      ...places.at({ file, start, end }),
    })),
  };
}

function findings(report: Report) {
  return remarks(report).map(({ finding, code, kind, severity, title, reason, remedy, anchor }) => {
    const { file, line, column, start, end, detail, group } = finding;
    const place = { file, line, column, start, end };
    return { code, kind, severity, title, reason, remedy, help: anchor, ...place, detail, ...(group === undefined ? {} : { group }) };
  });
}

function render(report: Report): string {
  const { result, mode, version, v1Base, v2Base } = report;
  const all = findings(report);
  const { files, calls, unmoved, edits } = lists(report);
  const ofKind = (wanted: string): number => all.filter(({ kind }) => kind === wanted).length;
  return stringify({
    version: jsonVersion,
    tool: { name: 'migrate-v2', version },
    mode,
    v1Base,
    v2Base: v2Base ?? null,
    summary: {
      walked: result.files.walked,
      candidates: result.files.candidates,
      parsed: result.files.parsed,
      changed: files.length,
      written: result.written.length,
      calls: calls.length,
      unmoved: unmoved.length,
      edits: edits.length,
      left: ofKind('left'),
      look: ofKind('look'),
      alone: ofKind('alone'),
      failed: ofKind('failed'),
      elapsedMs: Math.round(result.elapsedMs),
    },
    endpoints: movedPerEndpoint(report),
    files,
    calls,
    unmoved,
    edits,
    findings: all,
    ledger: result.plan.ledger.map(({ state, reason, file, line, column, start, end }) => ({
      state,
      reason,
      file,
      line,
      column,
      start,
      end,
    })),
    candidates: candidatesOf(report).map(({ base, routes, unknownRoutes, calls }) => ({
      base,
      routes,
      unknownRoutes,
      calls: calls.map(({ file, line, start, end, route, withKey }) => ({ route: routeLabel(route), withKey, file, line, start, end })),
    })),
  });
}

export const json: Reporter = { render, showsProofs: true };
