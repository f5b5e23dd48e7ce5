/** The types of the roll-out: from what the configuration has under `rollout` to its rules. */
import { z } from 'zod';
import { sunsetAt } from '../contract/dates.ts';
import { faultOfBrownouts } from '../rollout/brownouts.ts';
import { usualThresholds } from '../rollout/noise.ts';
import { type Rollout, type Rule, brownoutStatuses, stages } from '../rollout/rules.ts';
import { isNot, table } from './tables.ts';
import { endpoint, keyName, label, listOf } from './types-report.ts';
import { boolean, instant, oneOf, positive, show, span, written } from './types.ts';

/** One, or a list of which one has to apply. */
const oneOrMore = <T extends string>(type: z.ZodType<T>) =>
  z
    .union([z.string(), z.array(z.unknown())], { error: ({ input }) => `${show(input)} is not a text, nor a list of texts` })
    .transform((given): unknown[] => [given].flat())
    .pipe(z.array(type).min(1, 'must name at least one'));

/** A share from 0 to 1, written in per cent: `10%` or 10. */
export const share = written('a share: write 10% or 0.5%', (text) => {
  const value = /^\d+(?:\.\d+)?%?$/.test(text) ? Number.parseFloat(text) / 100 : Number.NaN;
  return value >= 0 && value <= 1 ? value : undefined;
});

export const method = oneOf(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const matchShape = {
  workspace: oneOrMore(label),
  unknown: z.literal(true, isNot('true: leave it out otherwise')),
  keys: oneOrMore(keyName),
  client: oneOrMore(label),
  endpoint: oneOrMore(endpoint),
  methods: oneOrMore(method),
  percent: share,
};

const match = table('property of a match', matchShape).check((context) => {
  if (context.value.unknown === undefined || context.value.workspace === undefined) return;
  const message = 'excludes workspace: a key is of a workspace, or of none';
  context.issues.push({ code: 'custom', input: context.value, path: ['unknown'], message });
});

const time = instant.transform((text) => Date.parse(text));
const status = written(`one of ${brownoutStatuses.join(', ')}`, (text) => brownoutStatuses.find((status) => String(status) === text));

const fallbackShape = { errors: share, over: span, atLeast: positive, to: oneOf(['observe', 'compare']) };
const fallback = table('property of a fallback', fallbackShape).transform(
  ({ errors = 0.05, over = 300_000, atLeast = 20, to = 'observe' }) => ({
    errors,
    over,
    atLeast,
    to,
  }),
);

const ruleShape = { name: label, match, stage: oneOf(stages), fallback, until: time, status };

/** What does not go together in one rule; undefined where all does. */
function faultOf({ stage, fallback, until, status }: Omit<Rule, 'name' | 'match'>): readonly [at: keyof Rule, message: string] | undefined {
  if (stage === 'refuse' && until === undefined) return ['until', 'is required to refuse: an instant at which that ends'];
  if (stage !== 'refuse' && until !== undefined) return ['until', 'is for the stage refuse alone'];
  if (stage !== 'refuse' && status !== undefined) return ['status', 'is for the stage refuse alone'];
  return stage !== 'translate' && fallback !== undefined ? ['fallback', 'is for the stage translate alone'] : undefined;
}

const rules = listOf('rule', ruleShape, ['stage'])
  .check((context) => {
    // By its place among the others, another rule would be taken for it once one is added before.
    const index = context.value.findIndex(({ name, fallback }) => name === undefined && fallback !== undefined);
    if (index === -1) return;
    const message = 'is required with fallback: a rule that was taken back stays so under its name';
    context.issues.push({ code: 'custom', input: context.value[index], path: [index, 'name'], message });
  })
  .transform((given): readonly Rule[] =>
    given.map(({ name, match = {}, ...rest }, index) => ({ ...rest, name: name ?? `rule ${index + 1}`, match })),
  )
  .check((context) => {
    const names = new Set<string>();
    for (const [index, rule] of context.value.entries()) {
      const fault = faultOf(rule);
      if (fault !== undefined) context.issues.push({ code: 'custom', input: rule, path: [index, fault[0]], message: fault[1] });
      if (names.has(rule.name))
        context.issues.push({ code: 'custom', input: rule, path: [index, 'name'], message: `${show(rule.name)} stands here twice` });
      names.add(rule.name);
    }
  });

const brownoutShape = {
  name: label,
  match,
  exempt: oneOrMore(label),
  at: time,
  for: span,
  every: span,
  until: time,
  ramp: span,
  status,
};

const brownouts = listOf('brownout', brownoutShape, ['name', 'at', 'for'])
  .transform((given) =>
    given.map(({ match = {}, exempt = [], ramp = 0, status = 503, ...rest }) => ({
      ...rest,
      match,
      exempt,
      ramp,
      status,
    })),
  )
  .check((context) => {
    const sunset = Date.parse(sunsetAt);
    const fail = (message: string): void => void context.issues.push({ code: 'custom', input: context.value, message });
    const names = context.value.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (twice !== undefined) fail(`the brownout ${show(twice)} stands here twice`);
    const fault = faultOfBrownouts(context.value, sunset);
    if (fault !== undefined) fail(fault);
  });

const equality = { endpoint, path: label, as: oneOf(['instant', 'number', 'anyOrder', 'ignore']) };
const compareShape = {
  sample: share,
  concurrency: positive,
  share,
  noise: table('property of noise', { relative: share, absolute: share }),
  equal: listOf('equality', equality, ['path', 'as']),
};
const compare = table('property of compare', compareShape).transform(
  ({ sample = 1, concurrency = 8, share = 0.05, noise = {}, equal = [] }) => ({
    sample,
    concurrency,
    share,
    noise: { relative: noise.relative ?? usualThresholds.relative, absolute: noise.absolute ?? usualThresholds.absolute },
    equal,
  }),
);

const rolloutShape = { rules, brownouts, compare, atSunset: oneOf(['translate', 'stay']), announce: boolean };

/** The whole table under `rollout`. */
export const rollout = table('property of rollout', rolloutShape).transform(
  ({ rules = [], brownouts = [], compare: comparing, atSunset = 'translate', announce = true }): Rollout => ({
    rules,
    brownouts,
    compare: comparing ?? compare.parse({}),
    atSunset,
    announce,
  }),
);
