/** What the report says of the road from v1 to v2, as in wording.ts: unescaped, and the same in every format. */
import type { Report, WorkspaceRow } from '../model.ts';
import type {
  Advice,
  AnnouncedBrownout,
  BrownoutRow,
  DifferenceKind,
  DifferenceRow,
  Errors,
  HitRow,
  NextStep,
  RoadStage,
  RolloutReport,
  StepRow,
  WorkspaceRoad,
} from '../rollout/model.ts';
import { count, counted, lengthOf, percent, timeOf } from './figures.ts';
import { listed } from './wording.ts';

export const roadTitle = 'On the road to v2';

export interface OnRoad extends WorkspaceRow {
  readonly road: WorkspaceRoad;
}

/** Workspaces of which there is anything to say: who has not called lately is not on the road. */
export const onRoad = ({ workspaces }: Report): readonly OnRoad[] =>
  workspaces.flatMap((row) => {
    const { road } = row;
    const isQuiet =
      road === undefined || road.next === null || (road.stages.length === 0 && road.refused === 0 && road.tripped.length === 0);
    return isQuiet ? [] : [{ ...row, road }];
  });

/** `compare`; where several go on, each with its calls. */
export function stageText({ stages, refused }: WorkspaceRoad): string {
  const current = stages.filter((stage) => stage.current);
  const names = current.map(({ stage, calls }) => (current.length === 1 ? stage : `${stage} ${count(calls)}`));
  return [...names, ...(refused === 0 ? [] : [`${count(refused)} refused`])].join(', ');
}

/** Errors after a move beside those before it, in a cell: `0.5% → 0.4%`. */
export function errorsLabel({ before, after }: WorkspaceRoad): string {
  if (after === null) return before === null ? '' : percent(before.errors);
  return `${before === null ? '' : `${percent(before.errors)} `}→ ${percent(after.errors)}`;
}

export const nextLabels = {
  release: 'look, release',
  resume: 'resume',
  wait_for_calls: 'wait',
  compare: 'compare',
  compare_more: 'compare more',
  mend: 'mend',
  translate: 'translate',
  look_at_errors: 'look at errors',
  translate_all: 'translate all',
  settle: 'wait',
  move_client: 'move client',
} as const satisfies Record<NextStep['step'], string>;

type Compared = { readonly before: Errors | null; readonly after: Errors };

const errorsText = ({ before, after }: Compared): string =>
  `errors ${percent(after.errors)}${before === null ? '' : ` after ${percent(before.errors)} before`}`;

const failuresText = ({ before, after }: Compared): string =>
  after.failures === 0 ? '' : ` (5xx: ${percent(after.failures)}${before === null ? '' : ` after ${percent(before.failures)}`})`;

/** Where answers differ: `GET /v1/contacts: data[].name`. */
export const placeText = ({ endpoint, path }: { readonly endpoint: string; readonly path: string }): string =>
  path === '' ? endpoint : `${endpoint}: ${path === '…' ? 'places that are not told apart' : path}`;

/** The next step of a workspace, and why. */
export function nextText(next: NextStep): string {
  switch (next.step) {
    case 'release':
      return `its rule ${next.rule} was taken back on ${timeOf(next.at)} (${next.detail}): look at what failed, then release it`;
    case 'resume':
      return `everything was taken back to v1 on ${timeOf(next.at)}: look at why, then resume`;
    case 'wait_for_calls':
      return next.refused === 0
        ? 'no call in the last 7 days: nothing to go by'
        : `${counted(next.refused, 'call')} refused in a brownout, and no other one in the last 7 days: ask whether it has moved, or is broken`;
    case 'compare':
      return `observed, ${counted(next.calls, 'call')} in the last 7 days: begin to compare`;
    case 'compare_more':
      return `compared ${counted(next.calls, 'call')}, ${count(next.needed)} are needed`;
    case 'mend':
      return `${counted(next.differences, 'difference')} left${next.differences === 1 ? '' : ', most'} at ${placeText(next)}`;
    case 'translate':
      return `${counted(next.calls, 'call')} compared, none differs beyond noise: ready for translate${next.uncompared.length === 0 ? '' : `; never compared: ${listed(next.uncompared)}`}`;
    case 'look_at_errors':
      return `${errorsText(next)}${failuresText(next)}: look at what fails, or take it back`;
    case 'translate_all':
      return `${percent(next.share)} of its calls are translated, ${errorsText(next)}: ready for all of them`;
    case 'settle':
      return `translated for ${lengthOf(next.duration)}: the client itself is next after ${lengthOf(next.needed)}`;
    case 'move_client':
      return `translated for ${lengthOf(next.duration)}, ${errorsText(next)}: move the client itself to v2`;
  }
}

/** What was not compared, and why; undefined where all was. */
export const skippedText = ({ skipped }: WorkspaceRoad): string | undefined =>
  skipped.length === 0 ? undefined : `not compared: ${listed(skipped.map(({ reason, calls }) => `${count(calls)} ${reason}`))}`;

/** What was found where calls were compared, and what was not compared; undefined where there is nothing of either. */
export function findingsText(road: WorkspaceRoad): string | undefined {
  const { compared } = road;
  const parts = [
    ...(compared === null
      ? []
      : [compared.differences === 0 ? 'no difference left' : `${counted(compared.differences, 'difference')} left`]),
    ...(compared === null || compared.noise === 0 ? [] : [`noise alone at ${counted(compared.noise, 'place')}`]),
    ...[skippedText(road) ?? []].flat(),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

const stageNames = { observe: 'observed', compare: 'compared', translate: 'translated' } as const satisfies Record<RoadStage, string>;

/** Where everybody stands, in one line. */
export function roadSummary(report: Report): string | undefined {
  const { rollout } = report;
  if (rollout === undefined) return undefined;
  const stages = onRoad(report).map(({ road }) => road.stages.filter(({ current }) => current));
  const counts = (['observe', 'compare', 'translate'] as const).map(
    (stage) => [stageNames[stage], stages.filter(([only, ...more]) => more.length === 0 && only?.stage === stage).length] as const,
  );
  const several = stages.filter(({ length }) => length > 1).length;
  const who = [...counts, ['at several stages', several] as const].filter(([, number]) => number > 0);
  return [
    who.length === 0
      ? 'nobody has called lately'
      : who
          .map(([name, number], index) => (index === 0 ? `${counted(number, 'workspace')} ${name}` : `${count(number)} ${name}`))
          .join(', '),
    ...(rollout.differences.length === 0 ? [] : [`${counted(rollout.differences.length, 'difference')} left`]),
    ...(rollout.tripped.length === 0 ? [] : [`${counted(rollout.tripped.length, 'rule')} taken back`]),
    ...(rollout.stopped === null ? [] : [`everything stopped since ${timeOf(rollout.stopped)}`]),
  ].join('; ');
}

/** A sentence for each workspace. */
export const nextRemarks = (report: Report): readonly string[] =>
  onRoad(report).flatMap(({ name, road }) =>
    road.next === null ? [] : [`${name}: ${[nextText(road.next), skippedText(road) ?? []].flat().join('; ')}`],
  );

// --- differences -------------------------------------------------------------

const kindNames = {
  status: 'status',
  mediaType: 'media type',
  missing: 'missing',
  added: 'added',
  type: 'type',
  value: 'value',
  order: 'order',
  request: 'request',
} as const satisfies Record<DifferenceKind, string>;

/** `missing: text → absent`; shapes that say nothing more than the kind are left out. */
export const differenceText = ({ kind, v1, v2 }: DifferenceRow): string =>
  v1 === v2 ? `${kindNames[kind]}: ${v1}` : `${kindNames[kind]}: ${v1} → ${v2}`;

export const adviceTexts = {
  equal_instant: 'equal: instant',
  equal_number: 'equal: number',
  equal_any_order: 'equal: anyOrder',
  map_answer: 'map the answer',
  map_request: 'map the request',
  look: 'look at both',
} as const satisfies Record<Advice, string>;

export const differencesHelp =
  'What does not matter to clients is declared equal under rollout.compare.equal; what does is mended by a mapping. Either begins a new count';

export const workspacesText = ({ workspaces }: DifferenceRow): string => listed(workspaces.map(({ name }) => name ?? 'unknown keys'));

// --- brownouts ---------------------------------------------------------------

export const whoText = ({ workspace }: HitRow): string => workspace ?? 'calls without a key';
export const backText = (row: HitRow): string => {
  const part = row.clientsBack < row.clients ? `, ${count(row.clientsBack)} of ${counted(row.clients, 'client')}` : '';
  return `${whoText(row)} (${row.after === null || row.after < 60_000 ? 'at once' : `after ${lengthOf(row.after)}`}${part})`;
};

/** Who was hit by a brownout, who came back, who stayed away, and which unknown keys spoke up. */
export function brownoutText({ name, since, until, times, over, calls, hit }: BrownoutRow): string {
  const title = name === '' ? 'Rules that refuse' : name;
  const when = `${timeOf(since)} ${over ? `for ${lengthOf(Date.parse(until) - Date.parse(since))}` : `until ${timeOf(until)}`}`;
  const head = `${title}, ${when}${times > 1 ? `, ${count(times)} times` : ''}: ${counted(calls, 'call')} refused`;
  const back = hit.filter((row) => row.back !== null);
  const away = hit.filter((row) => row.back === null);
  const unknown = hit.filter(({ origin }) => origin === 'unknown');
  return [
    hit.length === 0 ? `${head}, nobody was hit` : `${head}, of ${listed(hit.map(whoText))}`,
    ...(back.length === 0 ? [] : [`came back: ${listed(back.map(backText))}`]),
    ...(away.length === 0 ? [] : [`${over ? 'stayed away' : 'not back yet'}: ${listed(away.map(whoText))}`]),
    ...(unknown.length === 0
      ? []
      : [`unknown keys that spoke up: ${listed(unknown.map((row) => `${whoText(row)}${row.isNew ? ' (never seen before)' : ''}`))}`]),
  ].join('; ');
}

export function announcedText({ name, since, until, status, workspaces, exempt }: AnnouncedBrownout): string {
  const whom = workspaces === null ? '' : `, for ${listed(workspaces)}`;
  const spared = exempt.length === 0 ? '' : `, but not for ${listed(exempt)}`;
  return `${name}: ${timeOf(since)} for ${lengthOf(Date.parse(until) - Date.parse(since))}, with ${status}${whom}${spared}`;
}

export const brownoutRemarks = ({ brownouts, moreBrownouts }: RolloutReport): readonly string[] => [
  ...brownouts.map(brownoutText),
  ...(moreBrownouts === 0 ? [] : [`${counted(moreBrownouts, 'earlier brownout')} of this period: --until shows older ones`]),
];

export const announcedRemarks = ({ announced, moreAnnounced }: RolloutReport): readonly string[] => [
  ...announced.map(announcedText),
  ...(moreAnnounced === 0 ? [] : [`${count(moreAnnounced)} more`]),
];

// --- steps -------------------------------------------------------------------

const stepTexts = {
  stopped: () => 'everything was taken back to v1',
  resumed: () => 'the roll-out was resumed',
  tripped: (rule: string) => `the rule ${rule} was taken back`,
  released: (rule: string) => `the rule ${rule} was released`,
  'changed-over': () => 'v1 was gone, and its calls went to v2',
  'brownout-stopped': (rule: string) => `the brownout ${rule} was stopped for good`,
} as const satisfies Record<StepRow['kind'], (rule: string) => string>;

export const stepText = ({ at, kind, rule, detail, replica }: StepRow): string =>
  `${timeOf(at)}: ${stepTexts[kind](rule)}${detail === '' ? '' : `: ${detail}`}${kind === 'changed-over' ? ` (${replica})` : ''}`;
