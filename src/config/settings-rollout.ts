/** The settings of the command that looks at a roll-out, and stops it. */
import type { Setting } from './setting.ts';
import { or } from '../text/list.ts';
import { endpoint, keyReference, label } from './types-report.ts';
import { method } from './types-rollout.ts';
import { oneOf } from './types.ts';
import { texts } from './types-migrate.ts';

const rollout = ['rollout'] as const;
const formats = ['table', 'json'] as const;

export const rolloutSettings = [
  {
    name: 'format',
    commands: rollout,
    only: 'flag',
    type: oneOf(formats),
    default: 'table',
    description: `Form of what is printed: ${or(formats)}`,
  },
  {
    name: 'key',
    commands: rollout,
    type: keyReference,
    refers: 'secret',
    only: 'flag',
    otherwise: 'a call without a key',
    description: 'Key of the call to explain: env:NAME or file:PATH that holds it, or hash: and the hash that the report shows',
  },
  {
    name: 'endpoint',
    commands: rollout,
    type: endpoint,
    only: 'flag',
    otherwise: 'required to explain',
    description: "v1 endpoint of the call to explain, such as 'GET /v1/messages/:id', or unlisted",
  },
  {
    name: 'method',
    commands: rollout,
    type: method,
    only: 'flag',
    otherwise: 'that of the endpoint',
    description: 'Method of the call to explain',
  },
  {
    name: 'client',
    commands: rollout,
    type: label,
    only: 'flag',
    otherwise: 'a client that no rule names',
    description: 'Client of the call to explain, as the report shows it, such as axios/1.7.2',
  },
  {
    name: 'names',
    commands: rollout,
    type: texts,
    only: 'flag',
    positional: true,
    repeatable: true,
    default: [],
    description: 'Names of rules or brownouts, as migrate-v2 rollout prints them',
  },
] as const satisfies readonly Setting[];
