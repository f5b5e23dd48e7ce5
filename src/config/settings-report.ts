/** The settings of the usage report, and of what is done to the record. */
import { groupedFormats, groupings, postKinds, reportFormatNames } from './report-formats.ts';
import type { Setting } from './setting.ts';
import { logSettings } from './settings-logs.ts';
import { or } from '../text/list.ts';
import { markStatuses } from '../usage/model.ts';
import { mailbox } from './types-letters.ts';
import { remark } from './types-mark.ts';
import { texts } from './types-migrate.ts';
import { boolean, file, oneOf, period, secret } from './types.ts';
import { ignore, keyReference, moment, replicas, workspaces } from './types-report.ts';

const report = ['report'] as const;
const usage = ['usage'] as const;
const labelling = ['proxy', 'report'] as const;
const naming = ['proxy', 'report', 'rollout', 'usage'] as const;

export const reportSettings = [
  {
    name: 'since',
    commands: report,
    type: moment,
    default: '90d',
    description: 'First instant of the report: 30d for 30 days ago, 24h, a date or an instant such as 2026-11-01T00:00:00Z',
  },
  {
    name: 'until',
    commands: report,
    type: moment,
    otherwise: 'now',
    description: 'Where the report ends, and what its verdict speaks of; written like --since',
  },
  {
    name: 'workspace',
    commands: report,
    only: 'command',
    type: texts,
    repeatable: true,
    default: [],
    description: 'Report of this workspace or unknown key alone, as the report names it; may be given more than once',
  },
  {
    name: 'owner',
    commands: report,
    only: 'command',
    type: texts,
    repeatable: true,
    default: [],
    description: 'Report of the workspaces of this owner alone; may be given more than once',
  },
  {
    name: 'letters',
    commands: report,
    only: 'command',
    type: file,
    refers: 'path',
    otherwise: 'no letters',
    description: 'Folder to write letters to, one for each workspace that still calls v1, in place of a report',
  },
  {
    name: 'templates',
    commands: report,
    only: 'command',
    type: file,
    refers: 'path',
    otherwise: 'the letter in English that is built in',
    description: 'Folder with parts and languages of letters',
  },
  {
    name: 'from',
    commands: report,
    only: 'command',
    type: mailbox,
    otherwise: 'whoever sends it',
    description: 'Whom letters come from and are answered to, such as "API team <api@example.com>"',
  },
  {
    name: 'groupBy',
    commands: report,
    only: 'command',
    type: oneOf(groupings),
    default: 'workspace',
    description: `What a row of ${or(groupedFormats)} is: ${or(groupings)}`,
  },
  {
    name: 'format',
    commands: report,
    only: 'command',
    type: oneOf(reportFormatNames),
    default: 'table',
    description: `Form of the report: ${or(reportFormatNames)}`,
  },
  {
    name: 'code',
    commands: report,
    only: 'command',
    type: texts,
    repeatable: true,
    refers: 'path',
    default: [],
    description: 'What migrate-v2 --format json found, a file for each repository and named like it: who still calls what of it',
  },
  {
    name: 'watch',
    commands: report,
    only: 'command',
    type: boolean,
    default: false,
    description: 'Show the report in the terminal and keep it up to date',
  },
  {
    name: 'check',
    commands: report,
    only: 'command',
    type: boolean,
    default: false,
    description: 'Exit with 1 while v1 is in use, and with 2 where nobody can tell',
  },
  {
    name: 'digest',
    commands: report,
    only: 'command',
    type: boolean,
    default: false,
    description: 'Tell what is new since a week ago, and what to do first: in a terminal, as Markdown, or with --format json',
  },
  {
    name: 'post',
    commands: report,
    only: 'command',
    type: secret,
    refers: 'secret',
    description: 'Webhook that the digest is sent to: env:NAME or file:PATH that holds its URL, which is a secret',
  },
  {
    name: 'postAs',
    commands: report,
    only: 'command',
    type: oneOf(postKinds),
    otherwise: 'by the host of the webhook, and json where that says nothing',
    description: `What the webhook takes: ${or(postKinds)}`,
  },
  {
    name: 'postIf',
    commands: report,
    only: 'command',
    type: oneOf(['always', 'changed']),
    default: 'always',
    description: 'When to post: always, or changed, where the digest has anything new or that falls due',
  },
  {
    name: 'key',
    commands: usage,
    part: 'erase',
    type: keyReference,
    refers: 'secret',
    only: 'flag',
    otherwise: 'required',
    description: 'Key to forget: hash: and the hash that the report shows, or env:NAME or file:PATH that holds it',
  },
  {
    name: 'retired',
    commands: usage,
    part: 'retire',
    type: replicas,
    only: 'flag',
    positional: true,
    repeatable: true,
    default: [],
    description: 'Names of proxies that are gone for good, as the report shows them',
  },
  {
    name: 'marked',
    commands: usage,
    part: 'mark',
    type: texts,
    only: 'flag',
    positional: true,
    repeatable: true,
    default: [],
    description: `Workspace or key as the report shows it, and how things stand with it: ${or(markStatuses)}, the latter two with a day such as 2026-12-10`,
  },
  {
    name: 'note',
    commands: usage,
    part: 'mark',
    type: remark,
    only: 'flag',
    otherwise: 'none',
    description: 'What there is to say of it, on one line',
  },
  {
    name: 'clear',
    commands: usage,
    part: 'mark',
    type: boolean,
    only: 'flag',
    default: false,
    description: 'Take back what was noted: what the configuration says holds again',
  },
  ...logSettings,
  {
    name: 'workspaces',
    commands: naming,
    type: workspaces,
    only: 'file',
    default: [],
    description:
      'Whose keys are whose: a list of name, keys (prefixes, or hash:… of the report), plan, owner, contact, note, status, language and rarestJob',
  },
  {
    name: 'rarestJob',
    commands: labelling,
    noOptionOf: 'proxy',
    type: period,
    default: '31d',
    description:
      'The longest time between two runs of any job that calls v1, such as 31d for a monthly one: a verdict covers no rarer ones. A workspace may have its own',
  },
  {
    name: 'replicas',
    commands: labelling,
    noOptionOf: 'proxy',
    type: replicas,
    only: 'file',
    default: [],
    description: 'Names of the proxies that have to record (--replica of each): no verdict is SAFE without one of them',
  },
  {
    name: 'ignore',
    commands: labelling,
    type: ignore,
    only: 'file',
    default: [],
    description:
      "Calls that count as nobody's: a list of reason and what has to match of client, name, key, network, endpoint, status and neverAccepted",
  },
] as const satisfies readonly Setting[];
