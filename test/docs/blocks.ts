/** The generated parts of the documents: facts come from the contract and from the tables in the code, never from a writer's memory. */
import { z } from 'zod';
import { clientRules } from '../../codemods/clients/registry.ts';
import { type Failure, failures } from '../../proxy/failures.ts';
import { settingsTable } from '../../src/config/table.ts';
import { openQuestions } from '../../src/contract/assumptions.ts';
import { bearer, v1Auth, v2Auth } from '../../src/contract/auth.ts';
import { type Endpoint, endpointIds, v1Endpoints, v2Endpoints } from '../../src/contract/endpoints.ts';
import { type ErrorRow, errorRows } from '../../src/contract/errors.ts';
import { deliveryFields, deliveryHead, eventKinds, messageReceivedFields } from '../../src/contract/events.ts';
import {
  type Field,
  contactExistsAnswer,
  dailyLimitAnswer,
  listContactsParameters,
  sendMessageAnswer,
  sendMessageFields,
  v1ErrorFields,
} from '../../src/contract/fields.ts';
import { type ControlRoute, routes } from '../../src/sandbox/control/routes.ts';
import { v1Windows, v2RequestsPerHour, v2Windows, webhookEndpointsPerWorkspace } from '../../src/contract/limits.ts';
import { alerts } from './alerts.ts';
import { shape } from '../../src/report/letters/model.ts';
import { code, table } from './tables.ts';
import { findings } from './findings.ts';
import { metrics } from './metrics.ts';

const label = ({ method, path }: Endpoint): string => code(`${method} ${path}`);

function endpoints(): string {
  const paired = endpointIds(v1Endpoints).map((id) => [
    label(v1Endpoints[id]),
    label(v2Endpoints[v1Endpoints[id].successor]),
    v2Endpoints[v1Endpoints[id].successor].purpose,
  ]);
  const successors = new Set<string>(Object.values(v1Endpoints).map(({ successor }) => successor));
  const added = endpointIds(v2Endpoints).flatMap((id) =>
    successors.has(id) ? [] : [['–', label(v2Endpoints[id]), v2Endpoints[id].purpose]],
  );
  return table(['v1', 'v2', 'What it does'], [...paired, ...added]);
}

function letterNames(): string {
  const lists = Object.entries(shape).flatMap(([name, value]) =>
    Array.isArray(value) ? [[name, Object.keys({ ...value[0] })] as const] : [],
  );
  const single = Object.keys(shape).filter((name) => lists.every(([list]) => list !== name));
  const shown = (names: readonly string[]): string => names.map(code).join(', ');
  return table(
    ['Where', 'Names'],
    [['everywhere', shown(single)], ...lists.map(([name, within]) => [`within ${code(name)}`, shown(within)])],
  );
}

function clients(): string {
  const [usual, forTests] = [false, true].map((isForTests) =>
    clientRules
      .filter((rule) => (rule.call ?? rule.describedBy) !== undefined && (rule.isForTests ?? false) === isForTests)
      .map(({ name, title = name }) => title),
  );
  return `${usual?.join(', ')}; and in tests ${forTests?.join(', ')}.`.replaceAll(/(.{1,150})(?: |$)/g, '$1\n').trimEnd();
}

function errors(): string {
  const rows = Object.values(errorRows).map((row: ErrorRow) => [
    String(row.status),
    row.code === undefined ? '–' : code(row.code),
    'documented' in row.text ? row.text.documented : `*${openQuestions[row.text.assumed].value}* (assumed)`,
    row.condition,
  ]);
  return table(['Status', '`code`', '`error`', 'When'], rows);
}

function fields(): string {
  const groups: readonly [string, readonly Field[]][] = [
    ['`POST /v1/messages/send`, request', sendMessageFields],
    ['`POST /v1/messages/send`, answer', sendMessageAnswer],
    ['`GET /v1/contacts`, query', listContactsParameters],
    ['Every error', v1ErrorFields],
    ['409 on a duplicate contact, besides', contactExistsAnswer],
    ['Daily limit, besides', dailyLimitAnswer],
  ];
  const rows = groups.flatMap(([where, list]) =>
    list.map(({ name, type, values, note }) => [where, code(name), values === undefined ? type : values.map(code).join(', '), note]),
  );
  return table(['Where', 'Field', 'Type', 'Note'], rows);
}

function limits(): string {
  const v1 = Object.entries(v1Windows).map(([window, { scope, resets }]) => [
    `v1 calls per ${window}`,
    `per ${scope}`,
    `not shown; resets ${resets}`,
  ]);
  const v2 = Object.entries(v2RequestsPerHour).map(([plan, limit]: [string, number | undefined]) => [
    `v2 calls per hour, ${plan}`,
    'per plan',
    limit?.toLocaleString('en') ?? 'custom',
  ]);
  const webhooks = Object.entries(webhookEndpointsPerWorkspace).map(([plan, limit]: [string, number | null]) => [
    `Webhook endpoints, ${plan}`,
    'per workspace',
    limit === null ? 'unlimited' : String(limit),
  ]);
  return table(['Limit', 'Scope', 'Value'], [...v1, ...v2, ...webhooks]);
}

/** How often a poller may ask, in seconds, with the words for it. */
const intervals = [
  ['every 10 seconds', 10],
  ['every 30 seconds', 30],
  ['every minute', 60],
  ['every 5 minutes', 300],
  ['every 15 minutes', 900],
] as const;

/** What is left of each plan's hour by one poller: how many of them would use it up. */
function polling(): string {
  const plans = Object.entries(v2RequestsPerHour).flatMap(([plan, limit]: [string, number | undefined]) =>
    limit === undefined ? [] : [[plan, limit] as const],
  );
  const rows = intervals.map(([often, seconds]) => {
    const calls = v2Windows.hour.length / (seconds * 1_000);
    const fit = (limit: number): string => (calls > limit ? 'not one' : Math.floor(limit / calls).toLocaleString('en'));
    return [often, String(calls), ...plans.map(([, limit]) => fit(limit))];
  });
  const head = plans.map(([plan, limit]) => `Fit into ${plan} (${limit.toLocaleString('en')})`);
  return table(['One that asks', 'Calls an hour', ...head], rows);
}

function events(): string {
  return table(
    ['Event', 'When'],
    Object.entries(eventKinds).map(([kind, when]) => [code(kind), when]),
  );
}

function deliveries(): string {
  const { contentType, userAgent, eventField, signatureField, signaturePrefix } = deliveryHead;
  const head = [
    ['`Content-Type`', code(contentType)],
    ['`User-Agent`', code(userAgent)],
    [code(eventField), 'The event'],
    [code(signatureField), `${code(signaturePrefix)} and the lowercase hex HMAC-SHA256 of the raw body, keyed with the endpoint's secret`],
  ];
  const field = (prefix: string) => (row: Field) => [code(`${prefix}${row.name}`), [row.type, row.note].filter(Boolean).join('. ')];
  const body = [...deliveryFields.map(field('')), ...messageReceivedFields.map(field('data.'))];
  return table(['Field', 'What it holds'], [...head, ...body]);
}

function questions(): string {
  const rows = Object.entries(openQuestions).map(([name, { question, value, reason }]) => [
    code(`assumptions.${name}`),
    question,
    code(typeof value === 'object' ? value.join(', ') : value === '' ? '""' : String(value)),
    reason,
  ]);
  return table(['Setting', 'What nobody outside knows', 'Assumed', 'Why'], rows);
}

function failureCodes(): string {
  return table(
    ['Status', '`code`', 'What happened'],
    Object.values(failures).map(({ status, code: name, text }: Failure) => [String(status), code(name), text]),
  );
}

/** What a request of the control surface takes, a field a line. */
function taken({ body, query }: ControlRoute): string {
  const fieldsOf = (schema: z.ZodObject | undefined, sign: string): string[] =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => {
      const optional = field instanceof z.ZodOptional ? ' (optional)' : '';
      return `${code(sign + name)}${optional}: ${field.description}`;
    });
  return [...fieldsOf(body, ''), ...fieldsOf(query, '?')].join('<br>') || (body?.description ?? '–');
}

const controlSurface = (): string =>
  table(
    ['Request', 'Body or query', 'What it does'],
    Object.values(routes).map((route: ControlRoute) => [code(`${route.method} ${route.path}`), taken(route), route.does]),
  );

const authentication = (): string =>
  table(['', 'v1', 'v2'], [['Field', code(`${v1Auth.field}: <key>`), code(`${v2Auth.fieldName}: ${bearer('<key>')}`)]]);

/** What stands between `<!-- generated: name -->` and `<!-- end -->`. */
export const blocks: Readonly<Record<string, () => string>> = {
  endpoints,
  errors,
  fields,
  limits,
  polling,
  findings,
  events,
  deliveries,
  questions,
  authentication,
  metrics,
  alerts,
  clients,
  'failure codes': failureCodes,
  'proxy settings': () => settingsTable('proxy'),
  'sandbox settings': () => settingsTable('sandbox'),
  'migrate settings': () => settingsTable('migrate'),
  'openapi settings': () => settingsTable('openapi'),
  'report settings': () => settingsTable('report'),
  'letter names': letterNames,
  'usage settings': () => settingsTable('usage'),
  'rollout settings': () => settingsTable('rollout'),
  'control surface': controlSurface,
};

/**
 * The document with its generated parts as they should be.
 * @throws where a part has a name that nothing generates
 */
export function regenerate(text: string): string {
  return text.replace(/(<!-- generated: ([^>]+) -->\n)[^]*?(<!-- end -->)/g, (_all, open: string, name: string, close: string) => {
    const generate = blocks[name];
    if (generate === undefined) throw new Error(`Nothing generates "${name}"; the parts are ${Object.keys(blocks).join(', ')}`);
    return `${open}\n${generate()}\n\n${close}`;
  });
}
