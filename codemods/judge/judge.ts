/** What becomes of every place, once everything that speaks for and against it is known: all components, all other files, one plan. */
import type { TextPlan } from '../component/analyse-text.ts';
import type { ComponentResult } from '../component/component.ts';
import type { Ask } from '../escape/calls/asks.ts';
import { scriptReader } from '../component/texts/script-reader.ts';
import { keyOfEdits, type Replacement } from '../edit/splice.ts';
import { type Versions, versionOf } from '../edit/version.ts';
import { loadEngines } from '../engines/choose.ts';
import type { Resolve } from '../find/modules/resolver.ts';
import type { Scan } from '../find/scan.ts';
import type { Walk } from '../find/walk.ts';
import type { Cost, Costs, Finding, Plan } from '../model.ts';
import type { MigrateResult } from '../result.ts';
import type { Analysed } from '../run/analyse.ts';
import type { Surroundings } from '../run/surroundings.ts';
import { kindOfModule } from '../run/component-files.ts';
import { scripts } from '../run/tasks.ts';
import { candidatesOf } from '../verdict/bases/candidates.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import { bind } from './bind.ts';
import { failuresOf, knownOf } from './known.ts';
import { passes } from './passes.ts';
import { withIgnoredSettings } from './passes/ignored-settings.ts';
import { withHostsSet } from './passes/hosts-set.ts';
import { withoutLeftAlone } from './passes/left-alone.ts';
import { withLocalSettings } from './passes/local-settings.ts';
import { withMovedSamples } from './passes/moved-samples.ts';
import { withUnreadSettings } from './passes/unread-settings.ts';
import { programOf } from './program.ts';

/** What is known before anything is written. */
export interface Judged {
  readonly plan: Plan;
  readonly failures: readonly Finding[];
  readonly files: MigrateResult['files'];
  readonly costs: Costs;
  /** Throws where the text that some edits make of a file does not parse. */
  readonly parse: (file: string, text: string, edits: readonly Replacement[]) => Promise<void>;
  /** Of all files that edits and findings stand in. */
  readonly versions: Versions;
}

/** @param beside what the analysis of files gave that are no scripts */
export async function judge(
  walked: Walk,
  read: Surroundings,
  analysed: Analysed,
  beside: readonly TextPlan[],
  bases: Bases,
  resolve: Resolve,
): Promise<Judged> {
  const program = programOf(walked, read, analysed, beside, bases, resolve);
  const { found, results, candidates, named, textIn } = program;
  const bound = await bind(program);
  const { members, constraints } = bound;
  const sampled = withMovedSamples(bound.plan, { members, constraints, files: walked.files, bases: named, textIn });
  const settled = withLocalSettings(sampled, members, constraints, found, textIn, walked.files, candidates, named);
  const asks = [...results, ...beside].flatMap((member) => member.asks);
  const known = knownOf(program, bound, settled, asks);
  const passed = passes.reduce((each, pass) => pass(each, known), settled);
  const told = withUnreadSettings(passed, members, constraints, walked.files, textIn, named);
  const elsewhere = withHostsSet(told, members, constraints, walked.files, textIn, candidates, named);
  const settings = withIgnoredSettings(elsewhere, walked, bases);
  const plan = withoutLeftAlone(asks.length === 0 ? settings : await withCallers(settings, walked, asks), textIn);
  const addresses = beside.flatMap((each) => each.addresses);
  return {
    plan: {
      ...plan,
      candidates: candidatesOf(candidates, addresses, bases),
      keys: results.flatMap(({ keys }) => keys),
    },
    failures: failuresOf(program),
    files: {
      walked: walked.files.length,
      candidates: found.candidates.length,
      naming: known.naming.length,
      parsed: results.reduce((sum, { parsed }) => sum + parsed, 0),
    },
    costs: costsOf(results),
    parse: parserFor(found, new Map(results.flatMap(({ checked }) => [...checked]))),
    versions: new Map([
      ...read.texts.map(({ file, text }) => [file, versionOf(text)] as const),
      ...results.flatMap(({ versions }) => [...versions]),
    ]),
  };
}

/** What starts our calls too often from outside of scripts. Loaded as late as this: most runs find nothing to do. */
async function withCallers<P extends Pick<Plan, 'findings'>>(plan: P, walked: Walk, asks: readonly Ask[]): Promise<P> {
  const { withSchedules } = await import('./passes/schedules.ts');
  const { withSourcedPolls } = await import('./passes/sourced-polls.ts');
  return withSourcedPolls(await withSchedules(plan, walked, asks), walked, asks);
}

const maxNamed = 10;

const most = (all: readonly Cost[]): Cost[] => all.toSorted((one, other) => other.steps - one.steps).slice(0, maxNamed);

/** Those of all components. */
function costsOf(components: readonly ComponentResult[]): Costs {
  return {
    steps: components.reduce((sum, { costs }) => sum + costs.steps, 0),
    questions: most(components.flatMap(({ costs }) => costs.questions)),
    files: most(components.flatMap(({ costs }) => costs.files)),
  };
}

/** Loads what parses only for a text that no component has parsed already. */
function parserFor(found: Scan, checked: ComponentResult['checked']): Judged['parse'] {
  const kinds = new Map(found.candidates.map(({ path, kind }) => [path, kind]));
  return async (file, text, edits) => {
    const kind = kinds.get(file) ?? kindOfModule(file);
    if (!scripts.has(kind) || checked.get(file) === keyOfEdits(edits)) return;
    const [engines, scriptIn] = await Promise.all([loadEngines(), scriptReader([{ kind }])]);
    const { path, script } = scriptIn({ file, kind, text });
    engines.check(path, script);
  };
}
